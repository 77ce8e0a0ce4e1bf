/** Puts the focus on the first control that is marked wrong, after the errors have been drawn. */
export function focusFirstError(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
    const control = wrong?.matches('fieldset') ? wrong.querySelector<HTMLElement>('input, select') : wrong
    control?.focus()
  })
}
