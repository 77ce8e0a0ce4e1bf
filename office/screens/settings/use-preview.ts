import { useEffect, useState } from 'react'
import { previewSetting, type SettingPreview } from '#contract/office/settings.ts'
import type { SettingSection } from '#contract/setting-sections.ts'
import { call } from '#ui/api/call.ts'
import { ApiError } from '#ui/api/api-error.ts'
import type { Json } from './draft.ts'

const restMs = 400

interface Checked {
  readonly preview: SettingPreview | null
  /** Why the value cannot be saved. */
  readonly failure: ApiError | null
}

const unchecked: Checked = { preview: null, failure: null }

/** Lets the server check the draft when typing pauses. */
export function usePreview(section: SettingSection, value: Json, wanted: boolean): Checked {
  const [checked, setChecked] = useState<Checked>(unchecked)
  useEffect(() => {
    if (!wanted) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      call(previewSetting, { section, value }, { signal: stop.signal }).then(
        (preview) => setChecked({ preview, failure: null }),
        (thrown: unknown) => {
          if (thrown instanceof ApiError) setChecked((held) => ({ ...held, failure: thrown }))
        },
      )
    }, restMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [section, value, wanted])
  return wanted ? checked : unchecked
}

/**
 * Returns the error and its path: the server prefixes the message with the path, which the form replaces by the field's
 * label.
 */
export function invalidFieldOf(failure: ApiError | null): { path: string; text: string } | null {
  const [path] = Object.keys(failure?.errors ?? {})
  if (failure?.code !== 'setting-invalid' || path === undefined) return null
  const reason = String(failure.values['reason'] ?? failure.error)
  return { path, text: reason.startsWith(`${path}: `) ? reason.slice(path.length + 2) : reason }
}
