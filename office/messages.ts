/** All German texts of the back office and of the parts it uses: one chunk, loaded only for those who read German. */
import type { Messages } from '@lingui/core'
import { messages as parts } from '../ui/locales/de.po'
import { messages as own } from './locales/de.po'

export const messages: Messages = { ...parts, ...own }
