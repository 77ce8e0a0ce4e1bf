/** Traces the parts of a statement to where they are written. */
import * as ast from 'typescript/unstable/ast'
import { SymbolFlags, TypeFlags, type Checker, type Symbol, type Type } from 'typescript/unstable/sync'
import {
  Choices,
  ifReadable,
  type Scope,
  type Place,
  type Entered,
  topScope,
  Unreadable,
  NeedsCaller,
  type AnyFunction,
  isFunction,
  answersOf,
  pushedOnto,
  ofArrays,
  isProperty,
  nameOf,
  isNamed,
  operatorOf,
  keyOf,
  whereOf,
} from './source.ts'

/** Stands for a value that is sent separately from the text. */
export const value = '\u0001'

export class SqlText {
  readonly #checker: Checker
  readonly #types = new Map<ast.Node, Type | undefined>()
  readonly #declarations = new Map<ast.Node, ast.Node | undefined>()
  readonly #choices = new Choices()
  #entered: Entered = new Map()
  /** The pieces of SQL that were used. */
  readonly used = new Set<ast.Node>()

  constructor(checker: Checker) {
    this.#checker = checker
  }

  /** Returns how often a statement is read, so that each side of its choices is taken. */
  get passes(): number {
    return this.#choices.passes
  }

  /** Starts reading a statement again, with its functions entered by these calls. */
  begin(entered: Entered, pass: number): void {
    this.#entered = entered
    this.#choices.begin(pass)
  }

  /** Returns the text of an SQL expression. */
  text(node: ast.Node, scope: Scope): string {
    const found = this.#resolve(node, scope)
    const at = found.node
    if (ast.isTaggedTemplateExpression(at)) {
      this.used.add(at)
      const { template } = at
      if (ast.isNoSubstitutionTemplateLiteral(template)) return template.text
      return [
        template.head.text,
        ...template.templateSpans.map(
          ({ expression, literal }) =>
            (this.isSql(expression) ? this.text(expression, found.scope) : value) + literal.text,
        ),
      ].join('')
    }
    if (ast.isIdentifier(at) && at.text === 'empty') return ''
    if (ast.isCallExpression(at)) {
      const [first, second] = at.arguments
      if (isNamed(at.expression, 'limitTo')) return 'limit 1'
      if (isNamed(at.expression, 'raw') && first) return this.string(first, found.scope)
      if (isNamed(at.expression, 'join') && first) {
        const parts = this.#list(first, found.scope).map((one) => this.#textOrValue(one))
        if (parts.length === 0) throw new Unreadable(`nothing is joined at ${whereOf(at)}`)
        return parts.join(second ? this.string(second, found.scope) : ',')
      }
    }
    throw new Unreadable(`${ast.SyntaxKind[at.kind]} at ${whereOf(at)} is no SQL that can be read`)
  }

  #textOrValue(one: Place): string {
    return this.isSql(one.node)
      ? this.text(one.node, one.scope)
      : (ifReadable(() => this.text(one.node, one.scope)) ?? value)
  }

  string(node: ast.Node, scope: Scope): string {
    let found: Place = { node, scope }
    try {
      found = this.#resolve(node, scope)
    } catch (error) {
      const known = error instanceof Unreadable ? this.#literalOf(node, scope) : null
      if (known === null) throw error
      return known
    }
    const at = found.node
    if (found.text !== undefined) return found.text
    if (ast.isStringLiteral(at) || ast.isNoSubstitutionTemplateLiteral(at) || ast.isNumericLiteral(at)) return at.text
    if (ast.isTemplateExpression(at))
      return [
        at.head.text,
        ...at.templateSpans.map(({ expression, literal }) => this.string(expression, found.scope) + literal.text),
      ].join('')
    if (ast.isCallExpression(at) && ast.isPropertyAccessExpression(at.expression) && at.expression.name.text === 'join')
      return this.#list(at.expression.expression, found.scope)
        .map((one) => this.string(one.node, one.scope))
        .join(at.arguments[0] ? this.string(at.arguments[0], found.scope) : ',')
    const known = this.#literalOf(at, found.scope)
    if (known !== null) return known
    throw new Unreadable(`${ast.SyntaxKind[at.kind]} at ${whereOf(at)} is no text that can be read`)
  }

  #stringIfKnown(node: ast.Node, scope: Scope): string | null {
    return ifReadable(() => this.string(node, scope))
  }

  /** Returns the origin of a name's value: a parameter that is passed on is its caller's. */
  #originOf(node: ast.Node, scope: Scope): ast.Node {
    if (!ast.isIdentifier(node)) return node
    const declaration = this.#declarationOf(node)
    const given = declaration && scope.get(keyOf(declaration))
    return given ? this.#originOf(given.node, given.scope) : (declaration ?? node)
  }

  /** Returns one of the literals in a union type, or a number. */
  #literalOf(node: ast.Node, scope: Scope): string | null {
    const types = this.typesAt(node)
    const words = types.flatMap((one) => (one.isStringLiteralType() ? [one.value] : []))
    if (words.length > 0) return this.#choices.take(words, this.#originOf(node, scope)) ?? null
    return types.length > 0 && types.every(({ flags }) => (flags & TypeFlags.NumberLike) !== 0) ? '1' : null
  }

  #list(node: ast.Node, scope: Scope): Place[] {
    const found = this.#resolve(node, scope)
    const at = found.node
    if (ast.isArrayLiteralExpression(at)) {
      const literal = at.elements.flatMap((one) => this.#spread(one, found.scope))
      return [...literal, ...pushedOnto(at).flatMap((one) => this.#spread(one, found.scope))]
    }
    if (ast.isCallExpression(at) && ast.isPropertyAccessExpression(at.expression)) {
      const { expression: base, name } = at.expression
      const [callback] = at.arguments
      if (isNamed(base, 'Object') && callback) {
        const properties = this.#properties(this.#resolve(callback, found.scope))
        if (name.text === 'entries') return properties
        if (name.text === 'keys') return properties.map((one) => nameOf(one))
        return properties.map((one) => this.#property(one.node as ast.ObjectLiteralElementLike, one.scope))
      }
      if (!callback || !['map', 'flatMap', 'filter'].includes(name.text)) return this.#list(base, found.scope)
      const called = this.#resolve(callback, found.scope).node
      if (isFunction(called)) {
        if (name.text === 'filter')
          return this.#list(base, found.scope).filter((one) => this.#isLeft(one, called, found.scope))
        const of = (one: Place | null): Place => {
          const [parameter] = called.parameters
          const bound = parameter && one ? this.#bind(found.scope, parameter, one) : found.scope
          return { node: this.#returned(called), scope: bound }
        }
        try {
          const each = this.#list(base, found.scope).map(of)
          return name.text === 'map' ? each : each.flatMap((one) => this.#list(one.node, one.scope))
        } catch (error) {
          if (!(error instanceof Unreadable)) throw error
          return [of(null)]
        }
      }
    }
    throw new Unreadable(`${ast.SyntaxKind[at.kind]} at ${whereOf(at)} is no list that can be read`)
  }

  #spread(node: ast.Node, scope: Scope): Place[] {
    return ast.isSpreadElement(node) ? this.#list(node.expression, scope) : [{ node, scope }]
  }

  #follow(place: Place): Place {
    return place.text === undefined ? this.#resolve(place.node, place.scope) : place
  }

  /** Follows names, calls and choices to the written value. */
  #resolve(node: ast.Node, scope: Scope): Place {
    if (
      ast.isParenthesizedExpression(node) ||
      ast.isAsExpression(node) ||
      ast.isSatisfiesExpression(node) ||
      ast.isNonNullExpression(node) ||
      ast.isAwaitExpression(node)
    )
      return this.#resolve(node.expression, scope)
    if (ast.isConditionalExpression(node)) {
      const known = this.#decided(node.condition, scope)
      if (known !== null) return this.#resolve(known ? node.whenTrue : node.whenFalse, scope)
      const sides = [node.whenTrue, node.whenFalse].filter((one) => !isNamed(one, 'undefined'))
      const chosen = this.#choices.take(sides, node) ?? node.whenTrue
      return this.#either(chosen, sides.find((one) => one !== chosen) ?? chosen, scope)
    }
    if (ast.isBinaryExpression(node) && ['??', '||'].includes(operatorOf(node)))
      return this.#either(node.left, node.right, scope)
    if (ast.isPropertyAccessExpression(node))
      return this.#member(this.#resolve(node.expression, scope), node.name.text, node)
    if (ast.isElementAccessExpression(node)) {
      const base = this.#resolve(node.expression, scope)
      const name = ast.isArrayLiteralExpression(base.node) ? null : this.#stringIfKnown(node.argumentExpression, scope)
      const named = name === null ? null : this.#memberIfThere(base, name)
      if (named) return named
      const first = this.#choices.take(
        ast.isArrayLiteralExpression(base.node)
          ? this.#list(base.node, base.scope)
          : this.#properties(base).map((one) => this.#property(one.node as ast.ObjectLiteralElementLike, one.scope)),
        node,
      )
      if (!first) throw new Unreadable(`nothing is known of ${whereOf(node)}`)
      return this.#follow(first)
    }
    if (ast.isIdentifier(node)) return this.#named(node, scope)
    if (ast.isCallExpression(node)) return this.#called(node, scope)
    return { node, scope }
  }

  #called(node: ast.CallExpression, scope: Scope): Place {
    if (['raw', 'join', 'limitTo'].some((name) => isNamed(node.expression, name))) return { node, scope }
    if (ast.isPropertyAccessExpression(node.expression) && ofArrays.includes(node.expression.name.text))
      return { node, scope }
    const callee = this.#resolve(node.expression, scope)
    if (!isFunction(callee.node)) throw new Unreadable(`${whereOf(node)} calls what is not written here`)
    let inner = callee.scope
    callee.node.parameters.forEach((parameter, place) => {
      const given = node.arguments[place] ?? parameter.initializer
      if (given) inner = this.#bind(inner, parameter, { node: given, scope })
    })
    return this.#resolve(this.#returned(callee.node), inner)
  }

  /** Binds a parameter by its node: patterns are destructured when their names are looked up. */
  #bind(scope: Scope, parameter: ast.ParameterDeclaration, given: Place): Scope {
    return new Map([...scope, [keyOf(parameter), given]])
  }

  #named(node: ast.Identifier, scope: Scope): Place {
    if (node.text === 'empty') return { node, scope }
    const declaration = this.#declarationOf(node)
    if (!declaration) throw new Unreadable(`${node.text} at ${whereOf(node)} is declared nowhere`)
    return this.#declared(declaration, scope)
  }

  #declarationOf(node: ast.Identifier): ast.Node | undefined {
    const { parent } = node
    if (!this.#declarations.has(node)) {
      const symbol = ast.isShorthandPropertyAssignment(parent)
        ? this.#checker.getShorthandAssignmentValueSymbol(parent)
        : this.#checker.getSymbolAtLocation(node)
      this.#declarations.set(node, symbol && this.own(symbol).valueDeclaration?.resolve())
    }
    return this.#declarations.get(node)
  }

  #declared(declaration: ast.Node, scope: Scope): Place {
    if (isFunction(declaration)) return { node: declaration, scope }
    if (ast.isParameterDeclaration(declaration)) {
      const given = scope.get(keyOf(declaration))
      if (given) return this.#follow(given)
      const owner = declaration.parent
      const call = this.#entered.get(owner)
      if (!call) {
        if (ast.isFunctionDeclaration(owner)) throw new NeedsCaller(owner)
        throw new Unreadable(`a parameter of ${whereOf(owner)} is not known`)
      }
      const argument =
        call.arguments[(owner as ast.FunctionDeclaration).parameters.indexOf(declaration)] ?? declaration.initializer
      if (!argument) throw new Unreadable(`${whereOf(call)} leaves a parameter out`)
      return this.#resolve(argument, topScope)
    }
    if (ast.isVariableDeclaration(declaration)) {
      if (declaration.initializer) return this.#resolve(declaration.initializer, scope)
      const loop = declaration.parent.parent
      if (ast.isForOfStatement(loop)) {
        const first = this.#choices.take(this.#list(loop.expression, scope), loop)
        if (first) return this.#follow(first)
      }
    }
    if (ast.isBindingElement(declaration)) {
      const pattern = declaration.parent
      const whole = this.#declared(pattern.parent, scope)
      if (declaration.dotDotDotToken) return whole
      if (ast.isArrayBindingPattern(pattern) && isProperty(whole.node))
        return pattern.elements.indexOf(declaration) === 0 ? nameOf(whole) : this.#property(whole.node, whole.scope)
      if (ast.isArrayBindingPattern(pattern)) {
        const one = this.#list(whole.node, whole.scope)[pattern.elements.indexOf(declaration)]
        if (one) return this.#follow(one)
      } else {
        const name = declaration.propertyName ?? declaration.name
        try {
          return this.#member(whole, name?.getText() ?? '', declaration)
        } catch (error) {
          if (!(error instanceof Unreadable) || !declaration.initializer) throw error
          return this.#resolve(declaration.initializer, scope)
        }
      }
    }
    throw new Unreadable(`${ast.SyntaxKind[declaration.kind]} at ${whereOf(declaration)} has no value that can be read`)
  }

  #memberIfThere(of: Place, name: string): Place | null {
    return ifReadable(() => this.#member(of, name, of.node))
  }

  #member(of: Place, name: string, asked: ast.Node): Place {
    if (ast.isObjectLiteralExpression(of.node))
      for (const property of of.node.properties.toReversed()) {
        if (ast.isSpreadAssignment(property)) {
          const spread = this.#resolve(property.expression, of.scope)
          try {
            return this.#member(spread, name, asked)
          } catch (error) {
            if (!(error instanceof Unreadable)) throw error
          }
        } else if (property.name && 'text' in property.name && property.name.text === name)
          return this.#property(property, of.scope)
      }
    throw new Unreadable(`${name} at ${whereOf(asked)} is not written where it can be read`)
  }

  #properties(of: Place): Place[] {
    if (!ast.isObjectLiteralExpression(of.node)) throw new Unreadable(`${whereOf(of.node)} is no list of properties`)
    return of.node.properties.flatMap((property) =>
      ast.isSpreadAssignment(property)
        ? this.#properties(this.#resolve(property.expression, of.scope))
        : [{ node: property, scope: of.scope }],
    )
  }

  #property(property: ast.ObjectLiteralElementLike, scope: Scope): Place {
    if (ast.isPropertyAssignment(property)) return this.#resolve(property.initializer, scope)
    if (ast.isShorthandPropertyAssignment(property)) return this.#named(property.name as ast.Identifier, scope)
    return { node: property, scope }
  }

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

  /** Returns whether a filter keeps an element, as far as the source shows it. */
  #isLeft(one: Place, { parameters, body }: AnyFunction, scope: Scope): boolean {
    const [parameter] = parameters
    if (one.text === undefined && isNamed(this.#follow(one).node, 'empty')) return false
    return !(parameter && body && this.#decided(body, this.#bind(scope, parameter, one)) === false)
  }

  /** Returns whether two written words are equal, or a property exists; null for any other condition. */
  #decided(condition: ast.Node, scope: Scope): boolean | null {
    if (!ast.isBinaryExpression(condition)) return null
    try {
      if (operatorOf(condition) === '!==' && isNamed(condition.right, 'undefined')) {
        if (!ast.isPropertyAccessExpression(condition.left)) return null
        const base = this.#resolve(condition.left.expression, scope)
        return ast.isObjectLiteralExpression(base.node)
          ? this.#memberIfThere(base, condition.left.name.text) !== null
          : null
      }
      if (operatorOf(condition) !== '===') return null
      const [left, right] = [condition.left, condition.right].map((side) => this.#resolve(side, scope).node)
      return left && right && ast.isStringLiteral(left) && ast.isStringLiteral(right) ? left.text === right.text : null
    } catch (error) {
      if (!(error instanceof Unreadable) && !(error instanceof NeedsCaller)) throw error
      return null
    }
  }

  #either(chosen: ast.Node, other: ast.Node, scope: Scope): Place {
    return (other === chosen ? null : ifReadable(() => this.#resolve(chosen, scope))) ?? this.#resolve(other, scope)
  }

  /** Returns the result of a function: of several results another one in each pass. */
  #returned(callee: AnyFunction): ast.Node {
    const answer = this.#choices.take(answersOf(callee), callee)
    if (!answer) throw new Unreadable(`${whereOf(callee)} answers nothing`)
    return answer
  }
}
