import { type RefObject, useEffect, useRef } from 'react'

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
export function useRefusedFocus<E extends HTMLElement>(failure: unknown): RefObject<E | null> {
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

/** A `ref` that focuses a requested field, or the button of a closed dialog, once it is rendered. */
export function takeFocus(control: HTMLElement | null): void {
  control?.focus()
}

/** A `ref` that scrolls the message of an action into view once it is rendered. */
export function comeIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
