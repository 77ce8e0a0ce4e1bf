/** The declared row type of a statement, as columns. */
import * as ast from 'typescript/unstable/ast'
import { SignatureKind, SymbolFlags, TypeFlags, type Checker, type Type } from 'typescript/unstable/sync'
import { type Entered, Unreadable, NeedsCaller, sourceLocation } from './source.ts'

export interface DeclaredColumn {
  readonly name: string
  /** Such as string, bigint, Date, string[]; `unknown` matches every column. */
  readonly kinds: readonly string[]
  readonly isNullable: boolean
  readonly isOptional: boolean
}

export class RowTypes {
  readonly #checker: Checker
  readonly #columns = new Map<number, DeclaredColumn[] | null>()
  #entered: Entered = new Map()

  constructor(checker: Checker) {
    this.#checker = checker
  }

  /** Returns the declared columns; null if the rows are not read. */
  rowOf(call: ast.CallExpression, entered: Entered): DeclaredColumn[] | null {
    this.#entered = entered
    const [given] = call.typeArguments ?? []
    const explicit = given && this.#checker.getTypeFromTypeNode(given)
    if (explicit) return this.#columnsOf(explicit)
    // rows(tx)`select …` without a type: it only matters whether there is a row.
    if (ast.isTaggedTemplateExpression(call.parent)) return null
    const signature = this.#checker.getResolvedSignature(call)
    const promised = signature && this.#checker.getReturnTypeOfSignature(signature)
    let [type] = promised?.isTypeReference() ? this.#checker.getTypeArguments(promised) : []
    if (type) type = this.#checker.getNonNullableType(type)
    if (type?.isTypeReference() && this.#checker.isArrayType(type)) [type] = this.#checker.getTypeArguments(type)
    if (!type) throw new Unreadable('the row type is not known')
    return this.#columnsOf(type)
  }

  #columnsOf(type: Type): DeclaredColumn[] | null {
    if (type.isIntersectionType() || type.isTypeParameter()) return this.#columnsOfParts(type)
    let columns = this.#columns.get(type.id)
    if (columns === undefined) this.#columns.set(type.id, (columns = this.#columnsOfObject(type)))
    return columns
  }

  #columnsOfParts(type: Type): DeclaredColumn[] | null {
    if (type.isIntersectionType()) {
      const parts = type.getTypes()
      if (parts.some((one) => one.isIndexedAccessType())) return null
      return parts.flatMap((one) => this.#columnsOf(one) ?? [])
    }
    return this.#columnsOf(this.#argumentFor(type))
  }

  #columnsOfObject(type: Type): DeclaredColumn[] | null {
    const columns = this.#checker.getPropertiesOfType(type).map((property) => {
      const declared = this.#checker.getTypeOfSymbol(property)
      const parts = declared?.isUnionType() ? declared.getTypes() : declared ? [declared] : []
      const isEmpty = ({ flags }: Type) => (flags & (TypeFlags.Null | TypeFlags.Undefined)) !== 0
      const kinds = new Set(parts.filter((one) => !isEmpty(one)).map((one) => this.#kindOf(one)))
      return {
        name: property.name,
        kinds: [...kinds],
        isNullable: parts.some(({ flags }) => (flags & TypeFlags.Null) !== 0),
        isOptional: (property.flags & SymbolFlags.Optional) !== 0,
      }
    })
    return columns.length === 0 ? null : columns
  }

  /** Returns the type argument of a type parameter at the call by which its function was entered. */
  #argumentFor(type: Type): Type {
    const symbol = type.getSymbol()
    const name = symbol?.name ?? ''
    const callee = symbol?.declarations[0]?.resolve()?.parent
    if (!callee || !ast.isFunctionDeclaration(callee)) throw new Unreadable(`${name} stands for no type that is known`)
    const call = this.#entered.get(callee)
    if (!call) throw new NeedsCaller(callee)
    const given = call.typeArguments?.[callee.typeParameters?.findIndex((one) => one.name.text === name) ?? -1]
    const explicit = given && this.#checker.getTypeFromTypeNode(given)
    if (explicit) return explicit
    const standard = callee.typeParameters?.find((one) => one.name.text === name)?.defaultType
    if (standard) return this.#checker.getTypeFromTypeNode(standard) as Type
    const signature = this.#checker.getResolvedSignature(call)
    for (const [at, parameter] of callee.parameters.entries()) {
      // Inferred from columns that name their row, or from the parameter of a function among the arguments.
      if (signature && parameter.type?.getText() === `Columns<${name}>`) {
        const columns = this.#checker.getParameterType(signature, at) as Type
        const row = this.#checker.getPropertiesOfType(columns).find((property) => property.name === 'row')
        const declared = row && this.#checker.getTypeOfSymbol(row)
        if (declared) return this.#checker.getNonNullableType(declared) as Type
      }
      const taken = parameter.type && ast.isFunctionTypeNode(parameter.type) ? parameter.type.parameters[0] : undefined
      if (!signature || !taken?.type?.getText().match(new RegExp(`\\b${name}\\b`))) continue
      const [own] = this.#checker.getSignaturesOfType(
        this.#checker.getParameterType(signature, at) as Type,
        SignatureKind.Call,
      )
      let first = own && this.#checker.getParameterType(own, 0)
      if (first?.isTypeReference() && this.#checker.isArrayType(first)) [first] = this.#checker.getTypeArguments(first)
      if (first) return first
    }
    throw new Unreadable(`${name} at ${sourceLocation(call)} stands for no type that is known`)
  }

  #kindOf(type: Type): string {
    const { flags } = type
    if (flags & TypeFlags.StringLike) return 'string'
    if (flags & TypeFlags.NumberLike) return 'number'
    if (flags & TypeFlags.BigIntLike) return 'bigint'
    if (flags & TypeFlags.BooleanLike) return 'boolean'
    if (flags & (TypeFlags.Unknown | TypeFlags.Any)) return 'unknown'
    if (type.isTypeParameter()) return this.#kindOf(this.#checker.getBaseConstraintOfType(type) ?? type)
    if (type.isIntersectionType()) return this.#kindOf(type.getTypes()[0] as Type)
    if (type.isTypeReference() && this.#checker.isArrayType(type)) {
      const [element] = this.#checker.getTypeArguments(type)
      const parts = element?.isUnionType() ? element.getTypes() : element ? [element] : []
      return `${[...new Set(parts.map((one) => this.#kindOf(one)))].join('|')}[]`
    }
    const name = type.getSymbol()?.name
    return name === 'Date' || name === 'Buffer' ? name : 'object'
  }
}
