type Program =
  | 'build'
  | 'image'
  | 'drain'
  | 'deploy-drill'
  | 'start'
  | 'dev'
  | 'test'
  | 'test:slow'
  | 'pictures'
  | 'bench'
  | 'doctor'
  | 'sbom'
  | 'catalogues'
  | 'generate-docs'

/**
 * The arguments of a program, checked. Ends the process with 0 for `--help` and with 1, after one sentence, for what it
 * does not take.
 */
export function readUsage(name: Program, args?: readonly string[]): string[]
export function hasUsage(name: string): boolean
export function helpText(): string
