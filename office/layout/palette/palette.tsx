import { IconSearch, IconX } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useLocation, useRouter } from 'wouter'
import { lookUpClient } from '#contract/office/search.ts'
import { call } from '#ui/api/call.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { IconButton } from '#ui/forms/button.tsx'
import { focusOnRender } from '#ui/a11y/focus.ts'
import { useKeyNames } from '#ui/navigation/key-names.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { AriaLanguage } from '#ui/i18n/aria-language.tsx'
import { useStaff } from '../../session.ts'
import { type PaletteGroup, type PaletteItem } from './palette-items.ts'
import { PaletteList } from './palette-list.tsx'
import { rememberRecord } from './recent-records.ts'
import { type PaletteResults, usePaletteResults } from './use-palette-results.ts'
import '#ui/overlays/dialog.css'
import './palette.css'

/** Finds clients, records, commands and pages; three letters and Enter are enough (requirements 24.6). */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  return (
    <AriaLanguage>
      <ModalOverlay className="scrim palette-scrim" isOpen onOpenChange={(open) => !open && onClose()} isDismissable>
        <Modal className="palette">
          <Dialog className="palette-body" aria-label={t`Search and commands`}>
            <PaletteBody onClose={onClose} />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </AriaLanguage>
  )
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const [words, setWords] = useState('')
  const [expanded, setExpanded] = useState<{ group: PaletteGroup; words: string } | null>(null)
  const results = usePaletteResults(words, expanded?.words === words ? expanded.group : null)
  const choice = useSelectedItem(results, words)
  const open = useOpenItem(onClose, (group) => setExpanded({ group, words }))
  const list = useId()
  const { chosen } = choice
  // Enter before the response opens its first hit.
  const entered = useRef<string | null>(null)
  useEffect(() => {
    if (entered.current !== words || !results.settled || !chosen) return
    entered.current = null
    open(chosen, false)
  }, [words, results.settled, chosen, open])
  const press = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => choice.move(1),
      ArrowUp: () => choice.move(-1),
      Enter: () => {
        if (chosen && (results.settled || choice.isMoved)) open(chosen, event.ctrlKey || event.metaKey)
        else entered.current = words
      },
    }
    const move = Object.hasOwn(moves, event.key) && !event.nativeEvent.isComposing ? moves[event.key] : undefined
    if (!move) return
    event.preventDefault()
    move()
  }
  return (
    <>
      <div className="palette-field" data-busy={results.settled ? undefined : ''}>
        <IconSearch aria-hidden="true" />
        <input
          ref={focusOnRender}
          role="combobox"
          aria-expanded="true"
          aria-haspopup="listbox"
          aria-controls={list}
          aria-activedescendant={chosen ? optionId(list, chosen) : undefined}
          aria-autocomplete="list"
          aria-label={t`Client, account, reference, page or action`}
          placeholder={t`Client, account, reference, page or action`}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={words}
          onChange={({ target }) => setWords(target.value)}
          onKeyDown={press}
        />
        <kbd className="key palette-escape" aria-hidden="true">
          esc
        </kbd>
        <IconButton name={t`Close`} className="palette-close" onClick={onClose}>
          <IconX aria-hidden="true" />
        </IconButton>
      </div>
      <PaletteList
        id={list}
        items={results.items}
        words={results.words}
        chosen={chosen}
        optionId={(item) => optionId(list, item)}
        onPoint={choice.point}
        onOpen={open}
      />
      <PaletteFooter results={results} />
    </>
  )
}

const optionId = (list: string, { key, group }: PaletteItem) => `${list}-${group}-${key.replace(/[^\w-]+/g, '-')}`

function PaletteFooter({ results: { items, words, settled, failed, again } }: { results: PaletteResults }) {
  const { t } = useLingui()
  const { control } = useKeyNames()
  const count = items.filter(({ isMore }) => !isMore).length
  const isEmpty = settled && !failed && words !== '' && count === 0
  const searchAgain = ({ currentTarget }: MouseEvent) => {
    // The button goes with the failure; the search continues in the field.
    currentTarget.closest('.palette-body')?.querySelector('input')?.focus()
    again()
  }
  return (
    <footer className="palette-foot" data-empty={isEmpty || undefined}>
      <span className="palette-hint" aria-hidden="true">
        <kbd className="key">↑</kbd> <kbd className="key">↓</kbd> <Trans>move</Trans>
      </span>
      <span className="palette-hint" aria-hidden="true">
        <kbd className="key">↵</kbd> <Trans>open</Trans>
      </span>
      <span className="palette-hint" aria-hidden="true">
        <kbd className="key">{control} ↵</kbd> <Trans>new tab</Trans>
      </span>
      <span className="palette-hint" aria-hidden="true">
        <kbd className="key">&gt;</kbd> <Trans>actions</Trans>
      </span>
      <span className="palette-hint" aria-hidden="true">
        <kbd className="key">#</kbd> <Trans>references</Trans>
      </span>
      <p role="status" className="palette-count">
        {failed ? (
          <>
            <Trans>Records cannot be searched at the moment. Only pages and actions are shown.</Trans>{' '}
            <button type="button" className="text-button" onClick={searchAgain}>{t`Try again`}</button>
          </>
        ) : words === '' ? (
          <Trans>Names, numbers, emails, IBANs</Trans>
        ) : isEmpty ? (
          <Trans>No results for “{words}”. Clients are found by name, number, email or IBAN.</Trans>
        ) : settled ? (
          <Plural value={count} one="# result" other="# results" />
        ) : null}
      </p>
    </footer>
  )
}

/**
 * Manages the selection: the best hit until the user moves it; a new search text has its own best hit. When a group is
 * expanded, its first hidden item.
 */
function useSelectedItem({ items, best, rest }: PaletteResults, words: string) {
  const [moved, setMoved] = useState<{ key: string; words: string } | null>(null)
  const isMoved = moved?.words === words && items.some(({ key }) => key === moved.key)
  const chosen = (isMoved ? items.find(({ key }) => key === moved.key) : (rest ?? best)) ?? null
  const point = (item: PaletteItem) => setMoved({ key: item.key, words })
  const move = (by: 1 | -1) => {
    const place = items.findIndex((item) => item === chosen)
    const next = items[(place + by + items.length) % items.length]
    if (next) point(next)
  }
  return { chosen, isMoved, point, move }
}

/** Opens the selected item. A client is opened once the access has been logged (requirements 24.8). */
function useOpenItem(onClose: () => void, onMore: (group: PaletteGroup) => void) {
  const { staff } = useStaff()
  const [, navigate] = useLocation()
  const { base } = useRouter()
  const isOpening = useRef(false)
  return (item: PaletteItem, inNewTab: boolean) => {
    if (item.closed !== undefined || isOpening.current) return
    if (item.isMore && item.href === '') return onMore(item.group)
    // The browser would block a tab that is opened after the response.
    const tab = inNewTab ? open('about:blank') : null
    const go = () => {
      rememberOpened(staff.id, item)
      onClose()
      if (tab) tab.location.href = base + item.href
      else navigate(item.href)
    }
    if (!item.client) return go()
    isOpening.current = true
    call(lookUpClient, { id: item.client })
      .then(go, (thrown: unknown) => {
        tab?.close()
        if (!(thrown instanceof ApiError)) throw thrown
        showToast(() => thrown.error, { kind: 'bad' })
      })
      .finally(() => {
        isOpening.current = false
      })
  }
}

function rememberOpened(owner: string, { kind, title, note, href, client = '' }: PaletteItem): void {
  if (kind) rememberRecord(owner, { kind, title, note, href, client, at: Date.now() })
}
