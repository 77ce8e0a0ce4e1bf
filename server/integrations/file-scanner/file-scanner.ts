/** A virus scanner as the rest of the server sees it. */

/** `unavailable` means: keep the file in quarantine and scan again, never pass it (ASVS 5.4.3). */
export type ScanResult = 'clean' | { infected: string } | 'unavailable'

export interface FileScanner {
  /** Never throws: what is not surely clean or infected is `unavailable`. */
  scan(bytes: Buffer): Promise<ScanResult>
}
