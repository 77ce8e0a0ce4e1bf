/** Helpers to read the source of the server: positions in it, and the parts that are not followed. */
import { join, relative } from 'node:path'
import * as ast from 'typescript/unstable/ast'

export const root = join(import.meta.dirname, '../..')

/** The meaning of names in a function's body: the source of its parameters. */
export type Scope = ReadonlyMap<number, Place>
export interface Place {
  readonly node: ast.Node
  readonly scope: Scope
  /** The name of a property. */
  readonly text?: string
}
/** The call by which each function is entered. */
export type Entered = ReadonlyMap<ast.Node, ast.CallExpression>
export const topScope: Scope = new Map()

export class Unreadable extends Error {}
/** Returns what can be read, or null. */
export function nullIfUnreadable<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return null
  }
}

/** A parameter determines the statement: it is read once for each call of the function. */
export class NeedsCaller extends Error {
  readonly callee: ast.Node
  constructor(callee: ast.Node) {
    super('a parameter')
    this.callee = callee
  }
}

export type AnyFunction = ast.FunctionDeclaration | ast.ArrowFunction | ast.FunctionExpression | ast.MethodDeclaration

export function isFunction(node: ast.Node): node is AnyFunction {
  return (
    ast.isFunctionDeclaration(node) ||
    ast.isArrowFunction(node) ||
    ast.isFunctionExpression(node) ||
    ast.isMethodDeclaration(node)
  )
}

/** Returns the expression in parentheses, under a type assertion or behind `await`; null for any other node. */
export function wrappedExpression(node: ast.Node): ast.Node | null {
  return ast.isParenthesizedExpression(node) ||
    ast.isAsExpression(node) ||
    ast.isSatisfiesExpression(node) ||
    ast.isNonNullExpression(node) ||
    ast.isAwaitExpression(node)
    ? node.expression
    : null
}

export function returnedExpressions({ body }: AnyFunction): ast.Node[] {
  if (!body) return []
  if (!ast.isBlock(body)) return [body]
  const answers: ast.Node[] = []
  const visit = (node: ast.Node): void => {
    if (isFunction(node)) return
    if (ast.isReturnStatement(node) && node.expression) answers.push(node.expression)
    node.forEachChild(visit)
  }
  visit(body)
  return answers
}

/** Returns what is pushed onto an array after its declaration. */
export function pushedValues(array: ast.ArrayLiteralExpression): ast.Node[] {
  const { parent } = array
  if (!ast.isVariableDeclaration(parent) || !ast.isIdentifier(parent.name)) return []
  const name = parent.name.text
  let body: ast.Node = parent
  while (!ast.isBlock(body) && !ast.isSourceFile(body)) body = body.parent
  const pushed: ast.Node[] = []
  const visit = (node: ast.Node): void => {
    if (ast.isCallExpression(node) && ast.isPropertyAccessExpression(node.expression))
      if (isNamed(node.expression.expression, name) && node.expression.name.text === 'push')
        pushed.push(...node.arguments)
    node.forEachChild(visit)
  }
  visit(body)
  return pushed
}

const arrayMethods = ['map', 'flatMap', 'filter', 'join', 'toSorted', 'slice', 'entries', 'keys', 'values']
/** Returns whether a call is not followed into its function: of a list's method, or of one that makes SQL. */
export function isOpaqueCall({ expression }: ast.CallExpression): boolean {
  if (ast.isPropertyAccessExpression(expression)) return arrayMethods.includes(expression.name.text)
  return ['raw', 'join', 'limitTo'].some((name) => isNamed(expression, name))
}

export type Property = ast.PropertyAssignment | ast.ShorthandPropertyAssignment
export const isProperty = (node: ast.Node): node is Property =>
  ast.isPropertyAssignment(node) || ast.isShorthandPropertyAssignment(node)
/** Returns the name of a property as a text. */
export const nameOf = ({ node, scope }: Place): Place => ({
  node,
  scope,
  text: ((node as Property).name as ast.Identifier).text,
})
export const isNamed = (node: ast.Node, name: string) => ast.isIdentifier(node) && node.text === name
export const operatorOf = (node: ast.BinaryExpression) => node.operatorToken.getText()
const keys = new WeakMap<ast.Node, number>()
let lastKey = 0
export function keyOf(node: ast.Node): number {
  const key = keys.get(node) ?? (lastKey += 1)
  keys.set(node, key)
  return key
}

export function sourceLocation(node: ast.Node): string {
  const file = node.getSourceFile()
  const line = file.text.slice(0, node.getStart()).split('\n').length
  return `${relative(root, file.fileName)}:${line}`
}

/** The side taken of each choice: another one in each pass. */
export class Choices {
  readonly #met = new Map<ast.Node, number>()
  #pass = 0
  passes = 1

  begin(pass: number): void {
    this.#met.clear()
    this.#pass = pass
    if (pass === 0) this.passes = 1
  }

  /** Returns one of several, another one in each pass. */
  take<T>(several: readonly T[], of: ast.Node): T | undefined {
    if (several.length < 2) return several[0]
    // The same choice has the same result wherever it occurs in a statement.
    const [pass, before] = [this.#pass, this.#met.get(of) ?? this.#met.size]
    this.#met.set(of, before)
    this.passes = Math.max(this.passes, several.length * Math.min(this.#met.size, 6) + 1)
    // Consecutive choices take the same side first, then different ones.
    return several[(pass < several.length ? pass : Math.floor(pass / 2 ** (before % 6)) + before) % several.length]
  }
}
