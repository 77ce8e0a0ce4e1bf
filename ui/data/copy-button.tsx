import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useState } from 'react'
import { showToast } from '../feedback/toasts.tsx'
import { Button, type ButtonKind, IconButton } from '../forms/button.tsx'

interface CopyButtonProps {
  /** The copied text; the caller removes spaces that only group digits. */
  text: string
  /** The object of the accessible name: "Copy IBAN". */
  name: string
  /** With children a full button, otherwise an icon in a row. */
  children?: ReactNode
  kind?: ButtonKind
  size?: 'small'
}

/** Copies the text, and confirms it for two seconds. */
export function CopyButton({ text, name, children, kind, size }: CopyButtonProps) {
  const { t } = useLingui()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    const isCopied = await copyText(text)
    setCopied(isCopied)
    if (!isCopied)
      showToast(() => t`Your browser does not allow copying here. Select the text and copy it.`, { kind: 'bad' })
  }
  const icon = copied ? (
    <IconCheck className="small" aria-hidden="true" />
  ) : (
    <IconCopy className="small" aria-hidden="true" />
  )
  return (
    <>
      {children ? (
        <Button {...(kind ? { kind } : {})} {...(size ? { size } : {})} icon={icon} onClick={copy}>
          {copied ? t`Copied` : children}
        </Button>
      ) : (
        <IconButton name={copied ? t`Copied` : name} className="small" onClick={copy}>
          {icon}
        </IconButton>
      )}
      <span className="unseen" role="status">
        {copied ? t`Copied` : ''}
      </span>
    </>
  )
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
