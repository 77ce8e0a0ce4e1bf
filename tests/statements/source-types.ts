/** Types, symbols and declarations of the source, each requested from the compiler once. */
import * as ast from 'typescript/unstable/ast'
import { SymbolFlags, TypeFlags, type Checker, type Symbol, type Type } from 'typescript/unstable/sync'

export class SourceTypes {
  readonly #checker: Checker
  readonly #types = new Map<ast.Node, Type | undefined>()
  readonly #declarations = new Map<ast.Node, ast.Node | undefined>()

  constructor(checker: Checker) {
    this.#checker = checker
  }

  /** Returns the symbol itself of one that is imported. */
  own(symbol: Symbol): Symbol {
    return symbol.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
  }

  isSql(node: ast.Node | undefined): boolean {
    const types = node === undefined ? [] : this.typesAt(node)
    // Columns that name their row are SQL too.
    const parts = types.flatMap((one) => (one.isIntersectionType() ? one.getTypes() : [one]))
    return parts.some((one) => one.getSymbol()?.name === 'Sql')
  }

  typesAt(node: ast.Node): readonly Type[] {
    if (!this.#types.has(node)) this.#types.set(node, this.#checker.getTypeAtLocation(node))
    const type = this.#types.get(node)
    return type?.isUnionType() ? type.getTypes() : type ? [type] : []
  }

  /** Returns the texts in the type of an expression, or the digit 1 of a number. */
  literalsAt(node: ast.Node): readonly string[] {
    const types = this.typesAt(node)
    const isNumber = types.length > 0 && types.every(({ flags }) => (flags & TypeFlags.NumberLike) !== 0)
    return isNumber ? ['1'] : types.flatMap((one) => (one.isStringLiteralType() ? [one.value] : []))
  }

  /** Returns where a name is declared. */
  declarationOf(node: ast.Identifier): ast.Node | undefined {
    const { parent } = node
    if (!this.#declarations.has(node)) {
      const symbol = ast.isShorthandPropertyAssignment(parent)
        ? this.#checker.getShorthandAssignmentValueSymbol(parent)
        : this.#checker.getSymbolAtLocation(node)
      this.#declarations.set(node, symbol && this.own(symbol).valueDeclaration?.resolve())
    }
    return this.#declarations.get(node)
  }
}
