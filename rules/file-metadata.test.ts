import { expect, test } from 'vitest'
import { metadataWarningsOf, type FileMetadata } from './file-metadata.ts'

const nothing: FileMetadata = { takenAt: null, software: null, producer: null, producedAt: null, modifiedAt: null }
const uploadedAt = new Date('2026-06-19T09:00:00Z')
const warnings = (fields: Partial<FileMetadata>) => metadataWarningsOf({ ...nothing, ...fields }, uploadedAt)

test('absent metadata gives no warning', () => {
  expect(warnings({})).toEqual([])
})

test.each([
  ['Adobe Photoshop 25.0 (Windows)', true],
  ['GIMP 2.10.34', true],
  ['Windows Photo Editor 10.0.10011.16384', true],
  ['paint.net 5.0', true],
  ['17.5.1', false],
  ['G991BXXU3AUE1', false],
  ['HDR+ 1.0.345618096z', false],
])('the software "%s" of an image counts as an image editor: %s', (software, isEditor) => {
  expect(warnings({ software })).toEqual(isEditor ? ['image-editor'] : [])
})

test.each([
  ['Adobe Acrobat Pro DC 22.1.20085', true],
  ['Microsoft® Word for Microsoft 365', true],
  ['LibreOffice 7.3', true],
  ['iLovePDF', true],
  ['PDF-XChange Editor 9.5', true],
  ['Adobe Scan for Android 23.05', false],
  ['Acrobat Distiller 11.0', false],
  ['iText 2.1.7 by 1T3XT', false],
  ['iOS Version 17.5.1 (Build 21F90) Quartz PDFContext', false],
])('the producer "%s" of a PDF counts as a PDF editor: %s', (producer, isEditor) => {
  expect(warnings({ producer })).toEqual(isEditor ? ['pdf-editor'] : [])
})

test.each([
  ['30 days before the upload', '2026-05-20T09:00:00', []],
  ['a second earlier than that', '2026-05-20T08:59:59', ['taken-before']],
  ['a day after the upload, as a clock in another time zone may show', '2026-06-20T09:00:00', []],
  ['a second later than that', '2026-06-20T09:00:01', ['taken-after']],
])('the warnings for an image taken %s', (_, takenAt, expected) => {
  expect(warnings({ takenAt })).toEqual(expected)
})

test('a PDF that was modified more than a day after it was produced gives a warning', () => {
  const producedAt = new Date('2026-06-01T00:00:00Z')
  expect(warnings({ producedAt, modifiedAt: new Date('2026-06-02T00:00:00Z') })).toEqual([])
  expect(warnings({ producedAt, modifiedAt: new Date('2026-06-02T00:00:01Z') })).toEqual(['pdf-modified'])
  expect(warnings({ producedAt: null, modifiedAt: new Date('2026-06-02T00:00:01Z') })).toEqual([])
})
