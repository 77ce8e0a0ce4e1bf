/** Puts the focus on the first control that is marked wrong, after the errors have been drawn. */
export function focusFirstError(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    // A button cannot be invalid to a screen reader: that of a file's place carries a mark of ours.
    const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"], button[data-wrong]')
    const control = wrong?.matches('fieldset') ? wrong.querySelector<HTMLElement>('input, select') : wrong
    control?.focus()
  })
}
