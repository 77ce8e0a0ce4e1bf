import {
  IconBuildingBank,
  IconBuildingCommunity,
  IconCash,
  IconFileText,
  IconId,
  IconIdBadge2,
  IconReceipt,
  IconSteeringWheel,
} from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { documentLabels } from '#contract/document-labels.ts'
import type { DocumentKind } from '#rules/documents.ts'
import { useLabels } from '#ui/i18n/labels.ts'

interface DocumentLabels {
  /** "Passport" */
  name: string
  /** "Your passport" */
  yours: string
  /** What must be visible. */
  note: string
  front: string
  back: string
  icon: ReactNode
}

/** Returns the name of each kind of document, and what must be visible of it. */
export function useDocumentLabels(): Record<DocumentKind, DocumentLabels> {
  const { t } = useLingui()
  const label = useLabels(documentLabels)
  const sides = { front: t`Front side`, back: t`Back side` }
  const whole = { front: t`The document, all pages`, back: t`Further page` }
  return {
    passport: {
      name: label('passport'),
      yours: t`Your passport`,
      note: t`The page with your photo`,
      front: t`Photo page`,
      back: t`Signature page`,
      icon: <IconId aria-hidden="true" />,
    },
    id: {
      name: label('id'),
      yours: t`Your identity card`,
      note: t`Front and back`,
      ...sides,
      icon: <IconIdBadge2 aria-hidden="true" />,
    },
    drivers_licence: {
      name: label('drivers_licence'),
      yours: t`Your drivers licence`,
      note: t`Front and back`,
      ...sides,
      icon: <IconSteeringWheel aria-hidden="true" />,
    },
    bank_statement: {
      name: label('bank_statement'),
      yours: t`Your bank statement`,
      note: t`With your name and address, dated within the last 3\u00a0months`,
      ...whole,
      icon: <IconBuildingBank aria-hidden="true" />,
    },
    utility_bill: {
      name: label('utility_bill'),
      yours: t`Your utility bill`,
      note: t`Electricity, gas, water or landline, dated within the last 3\u00a0months`,
      ...whole,
      icon: <IconReceipt aria-hidden="true" />,
    },
    government_letter: {
      name: label('government_letter'),
      yours: t`Your government letter`,
      note: t`From a tax office, council or authority, dated within the last 3\u00a0months`,
      ...whole,
      icon: <IconBuildingCommunity aria-hidden="true" />,
    },
    proofOfAddress: {
      name: label('proofOfAddress'),
      yours: t`Your proof of address`,
      note: t`A bank statement, utility bill or government letter dated within the last 3\u00a0months`,
      ...whole,
      icon: <IconFileText aria-hidden="true" />,
    },
    source_of_wealth: {
      name: label('source_of_wealth'),
      yours: t`Your proof of source of wealth`,
      note: t`A contract, tax assessment or statement that shows the source of your wealth`,
      ...whole,
      icon: <IconCash aria-hidden="true" />,
    },
  }
}
