/** The text of a statement, put together from its parts where they are written. */
import * as ast from 'typescript/unstable/ast'
import { nullIfUnreadable, isNamed, Unreadable, sourceLocation, type Place, type Scope } from './source.ts'
import type { SourceTypes } from './source-types.ts'
import type { WrittenValues } from './written-values.ts'

/** The placeholder of a value that is sent separately from the text. */
export const value = '\u0001'

export class SqlText {
  readonly #types: SourceTypes
  readonly #values: WrittenValues
  /** The pieces of SQL that were used. */
  readonly used = new Set<ast.Node>()

  constructor(types: SourceTypes, values: WrittenValues) {
    this.#types = types
    this.#values = values
  }

  /** Returns the text of an SQL expression. */
  text(node: ast.Node, scope: Scope): string {
    const found = this.#values.resolve(node, scope)
    const at = found.node
    if (ast.isTaggedTemplateExpression(at)) {
      this.used.add(at)
      const { template } = at
      if (ast.isNoSubstitutionTemplateLiteral(template)) return template.text
      return [
        template.head.text,
        ...template.templateSpans.map(
          ({ expression, literal }) =>
            (this.#types.isSql(expression) ? this.text(expression, found.scope) : value) + literal.text,
        ),
      ].join('')
    }
    if (ast.isIdentifier(at) && at.text === 'empty') return ''
    if (ast.isCallExpression(at)) {
      const [first, second] = at.arguments
      if (isNamed(at.expression, 'limitTo')) return 'limit 1'
      if (isNamed(at.expression, 'raw') && first) return this.#values.string(first, found.scope)
      if (isNamed(at.expression, 'join') && first) {
        const parts = this.#values.list(first, found.scope).map((one) => this.#textOrValue(one))
        if (parts.length === 0) throw new Unreadable(`nothing is joined at ${sourceLocation(at)}`)
        return parts.join(second ? this.#values.string(second, found.scope) : ',')
      }
    }
    throw new Unreadable(`${ast.SyntaxKind[at.kind]} at ${sourceLocation(at)} is no SQL that can be read`)
  }

  #textOrValue(one: Place): string {
    return this.#types.isSql(one.node)
      ? this.text(one.node, one.scope)
      : (nullIfUnreadable(() => this.text(one.node, one.scope)) ?? value)
  }
}
