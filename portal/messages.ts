/** All German words of the portal and of the parts it uses: one chunk, loaded only for those who read German. */
import type { Messages } from '@lingui/core'

const catalogues = import.meta.glob<{ messages: Messages }>(['./**/de.po', '../ui/words/de.po'], { eager: true })

export const messages: Messages = Object.assign({}, ...Object.values(catalogues).map((catalogue) => catalogue.messages))
