import { type RefObject, useEffect, useRef } from 'react'

/** Puts the focus on the first control that is marked wrong, after the errors have been drawn. */
export function focusFirstError(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    // A button cannot be invalid to a screen reader: that of a file's place carries a mark of ours.
    const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"], button[data-wrong]')
    const control = wrong?.matches('fieldset') ? wrong.querySelector<HTMLElement>('input, select') : wrong
    control?.focus()
  })
}

/** Of the fields in a place: the first wrong one takes the focus when a refusal comes. What is missing is said by hand. */
export function useRefusedFocus<E extends HTMLElement>(failure: unknown): RefObject<E | null> {
  const place = useRef<E>(null)
  useEffect(() => {
    if (failure) focusFirstError(place.current)
  }, [failure])
  return place
}

/** Puts the focus on the first field of a form that has just been drawn. */
export function focusFirstField(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>('input, select, textarea')?.focus()
}

/** As a `ref`: a field that was asked for, or the command of a dialog that was left, has the focus once it is drawn. */
export function takeFocus(control: HTMLElement | null): void {
  control?.focus()
}

/** As a `ref`: what is said after a command is in the window once it is drawn, also where the page is longer than that. */
export function comeIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
