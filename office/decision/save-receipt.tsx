import { IconFileTypePdf } from '@tabler/icons-react'
import { Trans } from '@lingui/react/macro'
import { receiptStatuses, type HistoryList } from '#contract/history.ts'
import { officeReceiptPdf } from '#contract/office/receipts.ts'
import { useFileDownload } from '#ui/api/use-saving.ts'
import { Button } from '#ui/forms/button.tsx'

interface SaveReceiptProps {
  list: HistoryList
  record: { readonly id: string; readonly reference: string; readonly state: string }
}

/** Downloads the client's receipt, for comparison with one that staff are shown. */
export function SaveReceipt({ list, record: { id, reference, state } }: SaveReceiptProps) {
  const { isPending, save } = useFileDownload()
  if (!receiptStatuses.includes(state)) return null
  const path = officeReceiptPdf.path.replace(':list', list).replace(':id', encodeURIComponent(id))
  return (
    <Button
      size="small"
      icon={<IconFileTypePdf className="small" aria-hidden="true" />}
      pending={isPending}
      onClick={() => save(path, `receipt-${reference}.pdf`)}
    >
      <Trans>Save receipt</Trans>
    </Button>
  )
}
