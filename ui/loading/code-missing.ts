/** The code of a part could not be loaded: the connection failed, or newer files have replaced it since. */
export class CodeMissing extends Error {
  override readonly name = 'CodeMissing'
}
