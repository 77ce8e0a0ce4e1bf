/**
 * The arguments of each npm command: others are rejected by one sentence before anything is done, and `--help` only
 * prints this. Plain JavaScript, because run.mjs reads it on Node 20.
 */

/**
 * `words`: the allowed words (any if the command reads them itself), `wordsMax` how many; `options`: those with a dash.
 */
const usages = {
  start: { does: 'Starts the product in the foreground. Press Ctrl-C to stop.' },
  dev: { does: 'Starts the product with hot reload.' },
  test: {
    shown: '[checks] [unit] [api] [faults] [journeys] [--shuffle[=<seed>]]',
    does: 'Runs the named parts or all tests, optionally in random order.',
    words: /^(checks|unit|api|faults|journeys)$/,
    wordsMax: 5,
    options: /^--shuffle(=\d{1,9})?$/,
  },
  'test:slow': {
    shown: '[<count>]',
    does: 'Lists the slowest files and tests of the last npm test, 20 of each unless <count> is given.',
    words: /^[1-9]\d{0,3}$/,
    wordsMax: 1,
  },
  pictures: {
    does: 'Takes screenshots of every screen, wide and narrow, light and dark, in each language, into .cache/pictures.',
  },
  bench: {
    shown: '[<part> …]',
    does: 'Measures speed and size. See docs/operations.md for the parts.',
    words: /^/,
    wordsMax: 20,
  },
  build: { does: 'Builds portal and back office into dist/, for production outside a container.' },
  image: {
    shown: '[--base=<image>] [--build-base=<image>] [--if-possible]',
    does: 'Builds the image with buildah, on its default base unless another is given, then starts and checks it.',
    options: /^--(base=\S+|build-base=\S+|if-possible)$/,
  },
  drain: {
    shown: '[--from=<folder>] [--if-possible]',
    does: 'Restarts two servers behind nginx three times under load, starting from the version in <folder> if given.',
    options: /^--(from=.+|if-possible)$/,
  },
  'deploy-drill': {
    shown: '[--if-possible]',
    does: 'Follows docs/first-day.md on a clean Debian, then makes a deposit and a withdrawal, backs up and restores.',
    options: /^--if-possible$/,
  },
  doctor: { does: 'Checks the environment and shows what to do.' },
  sbom: {
    shown: '[<path>]',
    does: 'Writes the software bill of materials as CycloneDX to dist/sbom.cdx.json or the given path.',
    words: /^/,
    wordsMax: 1,
  },
  catalogues: {
    shown: '[<folder> …] [--check]',
    does: 'Updates the translation catalogues. With --check, lists missing translations.',
    words: /^/,
    wordsMax: 100,
    options: /^--check$/,
  },
  'generate-docs': { does: 'Writes state machines, permissions and variables to docs/.' },
}

/**
 * Returns a program's validated arguments. Ends the process with 0 for `--help` and with 1, after one sentence, for
 * others.
 */
export function readUsage(name, args = process.argv.slice(2)) {
  const usage = usages[name]
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    console.log(`${[name, ...(usage.shown ? [usage.shown] : [])].join(' ')}\n    ${usage.does}`)
    process.exit(0)
  }
  const words = args.filter((arg) => !arg.startsWith('-'))
  const unknown =
    args.find((arg) => !(arg.startsWith('-') ? usage.options : usage.words)?.test(arg)) ?? words[usage.wordsMax ?? 0]
  if (unknown !== undefined) {
    console.error(`"${unknown}" is not an argument of ${name}. Arguments: ${usage.shown ?? 'none'}.`)
    process.exit(1)
  }
  return args
}

/** Commands whose arguments are not read here, with descriptions. */
const others = {
  'npm run conformance':
    'Compares a real server with what our adapter expects; npm run conformance -- --help shows how.',
  'npm run operator': 'Runs a command of the operator; npm run operator -- --help lists them.',
  'npm run types': 'Checks the types.',
  'npm run lint': 'Lints the code with oxlint. Warnings count as errors.',
  'npm run format': 'Formats the code with oxfmt.',
  'npm run help': 'Shows this list.',
}

/** Returns every command with one line, for `npm run help`. */
export function helpText() {
  const rows = [
    ...Object.entries(usages).map(([name, { does }]) => [typed(name), does]),
    ...Object.entries(others),
    ['… -- --help', 'Shows the arguments of a command and does nothing else.'],
  ]
  const width = Math.max(...rows.map(([command]) => command.length)) + 3
  return rows.map(([command, does]) => command.padEnd(width) + does).join('\n')
}

/** Returns how a command is entered: scripts without an npm command are run with Node. */
function typed(name) {
  if (['catalogues', 'generate-docs'].includes(name)) return `node scripts/${name}.ts`
  return { start: 'npm start', test: 'npm test' }[name] ?? `npm run ${name}`
}

/** Returns whether a command is read here; those of the operator are read in server/operator. */
export function hasUsage(name) {
  return Object.hasOwn(usages, name)
}
