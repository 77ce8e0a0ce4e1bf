import { IconInfoCircle } from '@tabler/icons-react'
import { type ComponentPropsWithRef, type MouseEvent, type ReactNode, useId } from 'react'
import './button.css'
import { Link, type LinkProps } from '../navigation/link.tsx'
import { Spinner } from '../feedback/spinner.tsx'

/** One `primary` per view; `tinted` for an action repeated on every card; `danger` rejects and removes. */
export type ButtonKind = 'primary' | 'outline' | 'tinted' | 'danger' | 'quiet'

interface ButtonStyle {
  kind?: ButtonKind
  size?: 'normal' | 'small'
  /** As wide as its container. */
  full?: boolean
  /** Before the label. */
  icon?: ReactNode
  /** After the label. */
  iconAfter?: ReactNode
}

interface ButtonProps extends ButtonStyle, Omit<ComponentPropsWithRef<'button'>, 'disabled'> {
  /** The request is in progress: label and width stay, a spinner is added, further clicks are ignored. */
  pending?: boolean
  /** Why the button is disabled. It stays focusable; the reason is shown below it. */
  disabledReason?: ReactNode
  /** The keyboard shortcut, shown on the button (back office). */
  keyHint?: string | undefined
}

export function Button({
  kind,
  size,
  full,
  icon,
  iconAfter,
  pending,
  disabledReason,
  keyHint,
  children,
  onClick,
  className,
  type = 'button',
  ...rest
}: ButtonProps) {
  const reasonId = useId()
  const blocked = pending || Boolean(disabledReason) || rest['aria-disabled'] === true
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (blocked) event.preventDefault()
    else onClick?.(event)
  }
  const button = (
    <button
      {...rest}
      type={type}
      className={buttonClass({ kind, size, full }, className)}
      aria-disabled={blocked || undefined}
      aria-busy={pending || undefined}
      aria-describedby={disabledReason ? reasonId : rest['aria-describedby']}
      onClick={press}
    >
      <ButtonContent icon={icon} iconAfter={iconAfter} pending={pending}>
        {children}
      </ButtonContent>
      {keyHint && (
        <kbd className="key" aria-hidden="true">
          {keyHint}
        </kbd>
      )}
    </button>
  )
  if (!disabledReason) return button
  return (
    <span className={full ? 'button-with-reason full' : 'button-with-reason'}>
      {button}
      <span className="button-reason" id={reasonId}>
        <IconInfoCircle className="small" aria-hidden="true" />
        <span>{disabledReason}</span>
      </span>
    </span>
  )
}

interface ButtonLinkProps extends ButtonStyle, LinkProps {}

/** A link that looks like a button, for an action on another page. */
export function ButtonLink({ kind, size, full, icon, iconAfter, children, className, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={buttonClass({ kind, size, full }, className)}>
      <ButtonContent icon={icon} iconAfter={iconAfter}>
        {children}
      </ButtonContent>
    </Link>
  )
}

/** A button without text: close, copy, bell, viewer tools. The name is announced and shown as a tooltip. */
export function IconButton({ name, children, className, ...rest }: ComponentPropsWithRef<'button'> & { name: string }) {
  return (
    <button type="button" {...rest} aria-label={name} title={name} className={`icon-button ${className ?? ''}`}>
      {children}
    </button>
  )
}

interface ButtonContentProps {
  icon?: ReactNode
  iconAfter?: ReactNode
  pending?: boolean | undefined
  children: ReactNode
}

function ButtonContent({ icon, iconAfter, pending, children }: ButtonContentProps) {
  return (
    <>
      {icon && (pending ? <Spinner size={20} /> : icon)}
      <span className="button-word">
        {pending && !icon && <Spinner />}
        {children}
      </span>
      {iconAfter}
    </>
  )
}

function buttonClass({ kind = 'outline', size = 'normal', full }: ButtonStyle, more = ''): string {
  return `button ${kind} ${size} ${full ? 'full' : ''} ${more}`
}
