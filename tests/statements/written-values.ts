/** Follows names, calls and choices to the values that are written in the source. */
import * as ast from 'typescript/unstable/ast'
import {
  Choices,
  nullIfUnreadable,
  type Scope,
  type Place,
  type Entered,
  topScope,
  Unreadable,
  NeedsCaller,
  type AnyFunction,
  isFunction,
  returnedExpressions,
  pushedValues,
  isOpaqueCall,
  isProperty,
  wrappedExpression,
  nameOf,
  isNamed,
  operatorOf,
  keyOf,
  sourceLocation,
} from './source.ts'
import type { SourceTypes } from './source-types.ts'

export class WrittenValues {
  readonly #types: SourceTypes
  readonly #choices = new Choices()
  #entered: Entered = new Map()

  constructor(types: SourceTypes) {
    this.#types = types
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

  /** Returns the text of an expression that is not SQL. */
  string(node: ast.Node, scope: Scope): string {
    let found: Place = { node, scope }
    try {
      found = this.resolve(node, scope)
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
      return this.list(at.expression.expression, found.scope)
        .map((one) => this.string(one.node, one.scope))
        .join(at.arguments[0] ? this.string(at.arguments[0], found.scope) : ',')
    const known = this.#literalOf(at, found.scope)
    if (known !== null) return known
    throw new Unreadable(`${ast.SyntaxKind[at.kind]} at ${sourceLocation(at)} is not a text that can be read`)
  }

  /** Returns the origin of a name's value: a parameter that is passed on is its caller's. */
  #originOf(node: ast.Node, scope: Scope): ast.Node {
    if (!ast.isIdentifier(node)) return node
    const declaration = this.#types.declarationOf(node)
    const given = declaration && scope.get(keyOf(declaration))
    return given ? this.#originOf(given.node, given.scope) : (declaration ?? node)
  }

  /** Returns one of the literals in a union type, or a number. */
  #literalOf(node: ast.Node, scope: Scope): string | null {
    return this.#choices.take(this.#types.literalsAt(node), this.#originOf(node, scope)) ?? null
  }

  /** Returns the elements of a list literal, or of a list made of literals. */
  list(node: ast.Node, scope: Scope): Place[] {
    const found = this.resolve(node, scope)
    const at = found.node
    if (ast.isArrayLiteralExpression(at))
      return [...at.elements, ...pushedValues(at)].flatMap((one) =>
        ast.isSpreadElement(one) ? this.list(one.expression, found.scope) : [{ node: one, scope: found.scope }],
      )
    if (ast.isCallExpression(at) && ast.isPropertyAccessExpression(at.expression)) {
      const { expression: base, name } = at.expression
      const [callback] = at.arguments
      if (isNamed(base, 'Object') && callback) {
        const of = this.resolve(callback, found.scope)
        if (name.text === 'values') return this.#valuesOf(of)
        return name.text === 'entries' ? this.#properties(of) : this.#properties(of).map((one) => nameOf(one))
      }
      if (!callback || !['map', 'flatMap', 'filter'].includes(name.text)) return this.list(base, found.scope)
      const called = this.resolve(callback, found.scope).node
      if (isFunction(called)) {
        if (name.text === 'filter')
          return this.list(base, found.scope).filter((one) => this.#isLeft(one, called, found.scope))
        const of = (one: Place | null): Place => {
          const [parameter] = called.parameters
          const bound = parameter && one ? this.#bind(found.scope, parameter, one) : found.scope
          return { node: this.#returned(called), scope: bound }
        }
        const each = nullIfUnreadable(() => {
          const results = this.list(base, found.scope).map(of)
          return name.text === 'map' ? results : results.flatMap((one) => this.list(one.node, one.scope))
        })
        return each ?? [of(null)]
      }
    }
    throw new Unreadable(`${ast.SyntaxKind[at.kind]} at ${sourceLocation(at)} is not a list that can be read`)
  }

  #follow(place: Place): Place {
    return place.text === undefined ? this.resolve(place.node, place.scope) : place
  }

  /** Follows names, calls and choices to the written value. */
  resolve(node: ast.Node, scope: Scope): Place {
    const inner = wrappedExpression(node)
    if (inner) return this.resolve(inner, scope)
    if (ast.isConditionalExpression(node)) {
      const known = this.#decided(node.condition, scope)
      if (known !== null) return this.resolve(known ? node.whenTrue : node.whenFalse, scope)
      const sides = [node.whenTrue, node.whenFalse].filter((one) => !isNamed(one, 'undefined'))
      const chosen = this.#choices.take(sides, node) ?? node.whenTrue
      return this.#either(chosen, sides.find((one) => one !== chosen) ?? chosen, scope)
    }
    if (ast.isBinaryExpression(node) && ['??', '||'].includes(operatorOf(node)))
      return this.#either(node.left, node.right, scope)
    if (ast.isPropertyAccessExpression(node))
      return this.#member(this.resolve(node.expression, scope), node.name.text, node)
    if (ast.isElementAccessExpression(node)) {
      const base = this.resolve(node.expression, scope)
      const name = ast.isArrayLiteralExpression(base.node)
        ? null
        : nullIfUnreadable(() => this.string(node.argumentExpression, scope))
      const named = name === null ? null : nullIfUnreadable(() => this.#member(base, name, base.node))
      if (named) return named
      const first = this.#choices.take(
        ast.isArrayLiteralExpression(base.node) ? this.list(base.node, base.scope) : this.#valuesOf(base),
        node,
      )
      if (!first) throw new Unreadable(`nothing is known of ${sourceLocation(node)}`)
      return this.#follow(first)
    }
    if (ast.isIdentifier(node)) return this.#named(node, scope)
    if (ast.isCallExpression(node)) return this.#called(node, scope)
    return { node, scope }
  }

  #called(node: ast.CallExpression, scope: Scope): Place {
    if (isOpaqueCall(node)) return { node, scope }
    const callee = this.resolve(node.expression, scope)
    if (!isFunction(callee.node)) throw new Unreadable(`${sourceLocation(node)} calls what is not written here`)
    let inner = callee.scope
    callee.node.parameters.forEach((parameter, place) => {
      const given = node.arguments[place] ?? parameter.initializer
      if (given) inner = this.#bind(inner, parameter, { node: given, scope })
    })
    return this.resolve(this.#returned(callee.node), inner)
  }

  /** Binds a parameter by its node: patterns are destructured when their names are looked up. */
  #bind(scope: Scope, parameter: ast.ParameterDeclaration, given: Place): Scope {
    return new Map([...scope, [keyOf(parameter), given]])
  }

  #named(node: ast.Identifier, scope: Scope): Place {
    if (node.text === 'empty') return { node, scope }
    const declaration = this.#types.declarationOf(node)
    if (!declaration) throw new Unreadable(`${node.text} at ${sourceLocation(node)} is declared nowhere`)
    return this.#declared(declaration, scope)
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
        throw new Unreadable(`a parameter of ${sourceLocation(owner)} is not known`)
      }
      const argument =
        call.arguments[(owner as ast.FunctionDeclaration).parameters.indexOf(declaration)] ?? declaration.initializer
      if (!argument) throw new Unreadable(`${sourceLocation(call)} leaves a parameter out`)
      return this.resolve(argument, topScope)
    }
    if (ast.isVariableDeclaration(declaration)) {
      if (declaration.initializer) return this.resolve(declaration.initializer, scope)
      const loop = declaration.parent.parent
      if (ast.isForOfStatement(loop)) {
        const first = this.#choices.take(this.list(loop.expression, scope), loop)
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
        const one = this.list(whole.node, whole.scope)[pattern.elements.indexOf(declaration)]
        if (one) return this.#follow(one)
      } else {
        const name = (declaration.propertyName ?? declaration.name)?.getText() ?? ''
        const { initializer } = declaration
        if (!initializer) return this.#member(whole, name, declaration)
        return nullIfUnreadable(() => this.#member(whole, name, declaration)) ?? this.resolve(initializer, scope)
      }
    }
    throw new Unreadable(
      `${ast.SyntaxKind[declaration.kind]} at ${sourceLocation(declaration)} has no value that can be read`,
    )
  }

  #member(of: Place, name: string, asked: ast.Node): Place {
    if (ast.isObjectLiteralExpression(of.node))
      for (const property of of.node.properties.toReversed()) {
        if (ast.isSpreadAssignment(property)) {
          const spread = this.resolve(property.expression, of.scope)
          const found = nullIfUnreadable(() => this.#member(spread, name, asked))
          if (found) return found
        } else if (property.name && 'text' in property.name && property.name.text === name)
          return this.#property(property, of.scope)
      }
    throw new Unreadable(`${name} at ${sourceLocation(asked)} is not written where it can be read`)
  }

  #properties(of: Place): Place[] {
    if (!ast.isObjectLiteralExpression(of.node))
      throw new Unreadable(`${sourceLocation(of.node)} is not a list of properties`)
    return of.node.properties.flatMap((property) =>
      ast.isSpreadAssignment(property)
        ? this.#properties(this.resolve(property.expression, of.scope))
        : [{ node: property, scope: of.scope }],
    )
  }

  #valuesOf(of: Place): Place[] {
    return this.#properties(of).map((one) => this.#property(one.node as ast.ObjectLiteralElementLike, one.scope))
  }

  #property(property: ast.ObjectLiteralElementLike, scope: Scope): Place {
    if (ast.isPropertyAssignment(property)) return this.resolve(property.initializer, scope)
    if (ast.isShorthandPropertyAssignment(property)) return this.#named(property.name as ast.Identifier, scope)
    return { node: property, scope }
  }

  /** Returns whether a filter keeps an element, as far as the source shows it. */
  #isLeft(one: Place, { parameters, body }: AnyFunction, scope: Scope): boolean {
    const [parameter] = parameters
    if (one.text === undefined && isNamed(this.#follow(one).node, 'empty')) return false
    return !(parameter && body && this.#decided(body, this.#bind(scope, parameter, one)) === false)
  }

  /** Returns whether two literals are equal, or a property exists; null for any other condition. */
  #decided(condition: ast.Node, scope: Scope): boolean | null {
    if (!ast.isBinaryExpression(condition)) return null
    try {
      if (operatorOf(condition) === '!==' && isNamed(condition.right, 'undefined')) {
        const { left } = condition
        if (!ast.isPropertyAccessExpression(left)) return null
        const base = this.resolve(left.expression, scope)
        if (!ast.isObjectLiteralExpression(base.node)) return null
        return nullIfUnreadable(() => this.#member(base, left.name.text, base.node)) !== null
      }
      if (operatorOf(condition) !== '===') return null
      const [left, right] = [condition.left, condition.right].map((side) => this.resolve(side, scope).node)
      return left && right && ast.isStringLiteral(left) && ast.isStringLiteral(right) ? left.text === right.text : null
    } catch (error) {
      if (!(error instanceof Unreadable) && !(error instanceof NeedsCaller)) throw error
      return null
    }
  }

  #either(chosen: ast.Node, other: ast.Node, scope: Scope): Place {
    return (other === chosen ? null : nullIfUnreadable(() => this.resolve(chosen, scope))) ?? this.resolve(other, scope)
  }

  /** Returns the result of a function: of several results another one in each pass. */
  #returned(callee: AnyFunction): ast.Node {
    const answer = this.#choices.take(returnedExpressions(callee), callee)
    if (!answer) throw new Unreadable(`${sourceLocation(callee)} answers nothing`)
    return answer
  }
}
