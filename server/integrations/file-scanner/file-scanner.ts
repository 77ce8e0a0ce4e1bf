/** The interface of virus scanners. */

/** `unavailable` means: keep the file in quarantine and scan again, never pass it (ASVS 5.4.3). */
export type ScanResult = 'clean' | { infected: string } | 'unavailable'

export interface FileScanner {
  /** Never throws: a result that is neither certainly clean nor infected is `unavailable`. */
  scan(bytes: Buffer): Promise<ScanResult>
}
