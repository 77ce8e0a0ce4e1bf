/**
 * Values, errors and focus of a form. Values stay after a failure; the error of a field stays until it is corrected.
 */
import { type FormEvent, useEffect, useRef, useState, type RefObject } from 'react'
import { fieldErrors } from '../api/api-error.ts'

export type FieldErrors = Readonly<Record<string, string>>

export const noErrors: FieldErrors = {}

interface FoundErrors {
  /** Returns the errors in the reader's language. */
  readonly read: () => FieldErrors
  /** The fields that were changed since. */
  readonly corrected: readonly string[]
}

/** `const form = useFormValues({ city: '' })`: `<form ref={form.ref}>`, `form.text('city')`, `form.refuse(failure)`. */
export function useFormValues<Values extends object>(initial: Values) {
  const [values, setValues] = useState(initial)
  const [found, setFound] = useState<FoundErrors>({ read: () => noErrors, corrected: [] })
  // Read at each rendering, so that they follow the reader's language.
  const errors = Object.fromEntries(Object.entries(found.read()).filter(([name]) => !found.corrected.includes(name)))
  const ref = useRef<HTMLFormElement>(null)
  const set = (change: Partial<Values>) => {
    setValues((before) => ({ ...before, ...change }))
    setFound(({ read, corrected }) => ({ read, corrected: [...corrected, ...Object.keys(change)] }))
  }
  // The focus waits until the errors are rendered: those of a response are rendered later, in no event handler.
  const [failures, setFailures] = useState(0)
  useEffect(() => {
    if (failures > 0) focusFirstError(ref.current)
  }, [failures])
  const sayErrors = (read: () => FieldErrors) => {
    setFound({ read, corrected: [] })
    const isWrong = Object.keys(read()).length > 0
    if (isWrong) setFailures((count) => count + 1)
    return isWrong
  }
  return {
    ref,
    values,
    errors,
    set,
    /** Sets the errors by field and focuses the first invalid one. Returns whether there are any. */
    sayErrors,
    /** The same for a rejected request. */
    refuse: (failure: unknown) => void sayErrors(() => fieldErrors(failure)),
    /** Returns the properties of a text field. */
    text: (name: keyof Values & string) => ({
      name,
      value: String(values[name] ?? ''),
      error: errors[name],
      onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value } as Partial<Values>),
    }),
    /** Returns the properties of tiles, lists and other fields that report a value. */
    choice: <Name extends keyof Values & string>(name: Name) => ({
      name,
      value: values[name],
      error: errors[name],
      onValue: (value: Values[Name]) => set(Object.assign({} as Partial<Values>, { [name]: value })),
    }),
  }
}

/** Returns the current values with those that the form changed; `opened` are the values it was opened with. */
export function mergeEdits<Values extends object>(opened: Values, edited: Values, current: Values): Values {
  const isEdited = ([name, value]: [string, unknown]) => value !== opened[name as keyof Values]
  return { ...current, ...Object.fromEntries(Object.entries(edited).filter(isEdited)) }
}

/** Returns a submit handler that prevents the page load. */
export function submitHandler(send: () => void) {
  return (event: FormEvent) => {
    event.preventDefault()
    send()
  }
}

/** Focuses the first invalid control after the errors have been rendered. */
export function focusFirstError(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    // A button cannot be aria-invalid, so that of a file slot has an attribute of our own.
    const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"], button[data-wrong]')
    const control = wrong?.matches('fieldset') ? wrong.querySelector<HTMLElement>('input, select') : wrong
    control?.focus()
  })
}

/**
 * Returns a ref to a container of fields: the first invalid one is focused when a rejection arrives. Missing values are
 * reported by the caller.
 */
export function useErrorFocus<E extends HTMLElement>(failure: unknown): RefObject<E | null> {
  const place = useRef<E>(null)
  useEffect(() => {
    if (failure) focusFirstError(place.current)
  }, [failure])
  return place
}

/** Focuses the first field of a form that has just been rendered. */
export function focusFirstField(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>('input, select, textarea')?.focus()
}

/** A `ref` that scrolls the message of an action into view once it is rendered. */
export function scrollIntoViewOnRender(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
