import { IconDownload, IconFileTypePdf } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { historyCsv, historyPdf } from '#contract/history.ts'
import { withChange } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { ApiError } from '#ui/api/api-error.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { saveFile } from '#ui/api/upload.ts'
import { filtersOf, type HistoryUrl } from './history-url.ts'

/** The list with its filters as CSV, and all three lists of these days as a PDF. */
export function HistoryExports({ address }: { address: HistoryUrl }) {
  const { t } = useLingui()
  const csv = useSaving()
  const statement = useSaving()
  const { list } = address
  const { account, status, from, to } = filtersOf(address)
  return (
    <>
      <Button
        icon={<IconDownload className="small" aria-hidden="true" />}
        pending={csv.isPending}
        aria-label={t`Download this list as CSV`}
        onClick={() => csv.save(historyCsv.path + withChange('', { list, account, status, from, to }), `${list}.csv`)}
      >
        CSV
      </Button>
      <Button
        icon={<IconFileTypePdf className="small" aria-hidden="true" />}
        pending={statement.isPending}
        aria-label={t`Download statement as PDF`}
        onClick={() => statement.save(historyPdf.path + withChange('', { account, from, to }), 'statement.pdf')}
      >
        <Trans>Statement</Trans>
      </Button>
    </>
  )
}

function useSaving() {
  const { t } = useLingui()
  const [isPending, setPending] = useState(false)
  const save = (path: string, name: string) => {
    setPending(true)
    saveFile(path, name)
      .catch((thrown: unknown) =>
        showToast(thrown instanceof ApiError ? thrown.error : t`Something went wrong!`, { kind: 'bad' }),
      )
      .finally(() => setPending(false))
  }
  return { isPending, save }
}
