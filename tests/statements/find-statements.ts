/**
 * Every SQL statement of the server, found in its source: as the text that PostgreSQL receives, with the declared row
 * type. The parts of a statement are traced to where they are written; each side of a choice is taken once, and a
 * function is analysed for each of its calls if they determine the statement.
 */
import { join } from 'node:path'
import * as ast from 'typescript/unstable/ast'
import { API, type Checker } from 'typescript/unstable/sync'
import { RowTypes, type DeclaredColumn } from './row-type.ts'
import { isNamed, NeedsCaller, topScope, root, Unreadable, sourceLocation, type Entered } from './source.ts'
import { SourceTypes } from './source-types.ts'
import { SqlText, value } from './sql-text.ts'
import { WrittenValues } from './written-values.ts'

export interface Statement {
  /** `file:line` of the call that runs it. */
  readonly where: string
  readonly text: string
  /** Null if the rows are not read. */
  readonly row: readonly DeclaredColumn[] | null
}

export interface FoundStatements {
  readonly statements: readonly Statement[]
  /** Calls whose statement cannot be determined from the source, with the cause. */
  readonly unread: ReadonlyMap<string, string>
  /** Pieces of SQL that are part of no statement that was found. */
  readonly unused: readonly string[]
}

const runners = ['rows', 'row', 'requireRow', 'run', 'pipelinedRows', 'rowsWithFreshPlan']
/** The statement that follows a call as a template: rows(tx)`select …`. */
const templateOf = ({ parent }: ast.CallExpression) => (ast.isTaggedTemplateExpression(parent) ? parent : null)
/** Reads the server's source without tests. Takes several seconds. */
export function findStatements(): FoundStatements {
  const api = new API({ cwd: root })
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects()
    if (!project) throw new Error('there is no tsconfig.json')
    const files = project.rootFiles
      .filter((file) => file.startsWith(join(root, 'server/')) && !file.endsWith('.test.ts'))
      .flatMap((file) => project.program.getSourceFile(file) ?? [])
    return new Reader(project.checker, files).read()
  } finally {
    api.close()
  }
}

class Reader {
  readonly #checker: Checker
  readonly #files: readonly ast.SourceFile[]
  readonly #calls: ast.CallExpression[] = []
  readonly #pieces = new Set<ast.Node>()
  readonly #callsOf = new Map<number, ast.CallExpression[]>()
  readonly #types: SourceTypes
  readonly #values: WrittenValues
  readonly #text: SqlText
  readonly #rows: RowTypes
  readonly #statements = new Map<string, Statement>()
  readonly #unread = new Map<string, string>()

  constructor(checker: Checker, files: readonly ast.SourceFile[]) {
    this.#checker = checker
    this.#files = files
    this.#types = new SourceTypes(checker)
    this.#values = new WrittenValues(this.#types)
    this.#text = new SqlText(this.#types, this.#values)
    this.#rows = new RowTypes(checker)
  }

  read(): FoundStatements {
    for (const file of this.#files) this.#collect(file)
    for (const call of this.#calls) {
      const runner = this.#runnerOf(call)
      if (runner !== null && !isStatementRunner(call)) this.#readCall(call, runner, new Map())
    }
    const unused = [...this.#pieces].filter((piece) => !this.#text.used.has(piece)).map(sourceLocation)
    return { statements: [...this.#statements.values()], unread: this.#unread, unused }
  }

  /**
   * Returns which of our own functions, or the driver's `query`, receives the call's statement; null for any other
   * call.
   */
  #runnerOf(call: ast.CallExpression): string | null {
    const {
      expression: callee,
      arguments: [first, second],
      typeArguments,
    } = call
    if (templateOf(call)) return ast.isIdentifier(callee) && runners.includes(callee.text) ? callee.text : null
    if (ast.isPropertyAccessExpression(callee))
      return callee.name.text === 'query' && first && typeArguments ? 'query' : null
    if (!this.#types.isSql(second)) return null
    if (ast.isIdentifier(callee)) return runners.includes(callee.text) ? callee.text : null
    const name = this.#types.typesAt(callee)[0]?.getSymbol()?.name
    return name !== undefined && runners.includes(name) ? name : null
  }

  #collect(file: ast.SourceFile): void {
    const called: ast.Identifier[] = []
    const calls: ast.CallExpression[] = []
    const visit = (node: ast.Node): void => {
      if (ast.isTaggedTemplateExpression(node) && isNamed(node.tag, 'sql')) this.#pieces.add(node)
      if (ast.isCallExpression(node)) this.#calls.push(node)
      if (ast.isCallExpression(node) && ast.isIdentifier(node.expression)) {
        calls.push(node)
        called.push(node.expression)
      }
      node.forEachChild(visit)
    }
    visit(file)
    this.#checker.getSymbolAtLocation(called).forEach((symbol, place) => {
      const call = calls[place]
      if (!symbol || !call) return
      const { id } = this.#types.own(symbol)
      this.#callsOf.set(id, [...(this.#callsOf.get(id) ?? []), call])
    })
  }

  #readCall(call: ast.CallExpression, runner: string, entered: Entered): void {
    const where = [call, ...entered.values()].map(sourceLocation).join(' from ')
    let [isRead, reason, passes] = [false, '', 1]
    for (let pass = 0; pass < passes; pass += 1) {
      this.#values.begin(entered, pass)
      try {
        const text = this.#textOf(call, runner)
        const row = runner === 'run' ? null : this.#rows.rowOf(call, entered)
        this.#statements.set(`${where} ${text}`, { where, text, row })
        isRead = true
      } catch (error) {
        if (error instanceof NeedsCaller) {
          this.#enter(call, runner, entered, error.callee)
          return
        }
        if (!(error instanceof Unreadable)) throw error
        reason = error.message
      }
      passes = this.#values.passes
    }
    if (!isRead) this.#unread.set(where, reason)
  }

  /** Reads a statement once for each call of a function that determines it. */
  #enter(call: ast.CallExpression, runner: string, entered: Entered, callee: ast.Node): void {
    const name = ast.isFunctionDeclaration(callee) ? callee.name : undefined
    const symbol = name && this.#checker.getSymbolAtLocation(name)
    const callers = symbol ? (this.#callsOf.get(symbol.id) ?? []) : []
    if (callers.length === 0) this.#unread.set(sourceLocation(call), `${sourceLocation(callee)} is called by no name`)
    for (const caller of callers) this.#readCall(call, runner, new Map([...entered, [callee, caller]]))
  }

  #textOf(call: ast.CallExpression, runner: string): string {
    let count = 0
    const given = templateOf(call) ?? (call.arguments[runner === 'query' ? 0 : 1] as ast.Node)
    const isText = runner === 'query' && !this.#types.isSql(given)
    const text = isText ? this.#values.string(given, topScope) : this.#text.text(given, topScope)
    return text.replaceAll(value, () => `$${(count += 1)}`)
  }
}

/** The places that run others' statements. */
const isStatementRunner = (node: ast.Node) => /^server\/db\/(sql|pipelined-reader)\.ts/.test(sourceLocation(node))
