/** Where a word of tests/home-made-words.txt is still used, and why. */
interface UseLeft {
  readonly where: RegExp
  /** What of a line it explains. */
  readonly text: RegExp
  readonly reason: string
}

const any = /./
const tests = /\.(test|spec)\.ts$|^tests\//

export const usesLeft: readonly UseLeft[] = [
  {
    where: any,
    text: /'outside'|\| [a-z_, ]*outside[a-z_, ]* \||\boutside: t`/,
    reason: 'An actor of the sealed event log.',
  },
  { where: /^rules\/actors\.ts$/, text: /`outside`/, reason: 'The same actor, explained.' },
  {
    where: any,
    text: /\boutside (of|our|the|its|any|production|a|DATABASE_URL|meanwhile)\b|\b(from|trace|lies|world|opened|read|stay|stands|and) outside\b|what (an|its) outside|no outside address/,
    reason: 'Outside as the plain English word for a place.',
  },
  { where: any, text: /\bdeeds?\b/, reason: 'The field `deeds` of the client’s page, a name on the wire.' },
  { where: any, text: /'nobody'/, reason: 'A value on the wire, or the user of the operating system.' },
  {
    where: tests,
    text: /nobody|by itself/i,
    reason: 'Data of a test: a name or address that belongs to no person, a text that it expects.',
  },
  {
    where: any,
    text: /^(?!\s*(\*|\/[/*])).*['`"“>}].*\b(nobody|whoever|anew|by itself|stands (in|at|under|beside)|laid back|lay back|ready reason|spoken answer|outside)\b/i,
    reason: 'Text that people read. It changes with its translation.',
  },
  {
    where: /\.po$|^(office|portal|ui)\/.+\.tsx$/,
    text: /\b(nobody|whoever|by itself|stands (in|at|under|beside))\b/i,
    reason: 'The same, on a line of its own.',
  },
  {
    where: /^docs\/(permissions|operations)\.md$/,
    text: /^\|.*\b(nobody|by itself|outside|spoken answer)\b|Nobody decides on/,
    reason: 'Printed from texts of the contract and the environment that people read.',
  },
]
