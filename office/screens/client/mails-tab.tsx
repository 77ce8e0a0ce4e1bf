import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { getClientMail, getClientMails } from '#contract/office/client-tabs.ts'
import { officePaths } from '#contract/office-paths.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { EmptyState, ErrorPanel } from '#ui/feedback/content-states.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { Pagination } from '#ui/data/pagination.tsx'
import { Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { rowsPlaceholder } from '../../records/list-rows.tsx'
import { useListPages } from '../../records/pages.ts'

const address = z.object({ mail: z.optional(z.string()) })

/** All emails to the client in full; one-time links are masked. */
export function MailsTab({ clientId }: { clientId: string }) {
  const { t } = useLingui()
  const [{ mail }, setAddress] = useUrlState(address)
  const pages = useListPages(clientId)
  const { data, error, isFetching, refetch } = useEndpoint(
    getClientMails,
    { id: clientId, cursor: pages.cursor, size: pages.size },
    { keepLast: true },
  )
  const instead = rowsPlaceholder({ data, error, refetch }, <EmptyState level="h2" title={t`No emails yet`} />)
  return (
    <>
      <div className="stack">
        <section className="sheet">
          <Table
            caption={t`Emails`}
            rows={data?.rows ?? []}
            rowKey={(row) => row.id}
            rowHref={(row) => `${officePaths.client(clientId)}?tab=mails&mail=${row.id}`}
            selectedKey={mail ?? null}
            busy={isFetching}
            instead={instead}
            columns={[
              { head: t`Subject`, phone: 'title', cell: (row) => row.subject },
              { head: t`Recipient`, cell: (row) => <span className="muted">{row.to}</span> },
              { head: t`Created`, phone: 'time', cell: (row) => <Time at={row.at} /> },
              { head: t`Sent`, phone: 'status', cell: (row) => <SentTime mail={row} /> },
            ]}
          />
        </section>
        {instead === undefined && (
          <p className="muted">
            <Trans>
              “Sent” and “rejected” show the mail server’s response. Reports of failed delivery that arrive later by
              email are not shown.
            </Trans>
          </p>
        )}
      </div>
      <Pagination {...pages.shown(data?.next)} />
      {mail && <Mail clientId={clientId} mailId={mail} onClose={() => setAddress({ mail: undefined })} />}
    </>
  )
}

/** Shows when the mail server accepted the email, or that it has not. */
function SentTime({ mail }: { mail: { state: string; sentAt: Date | null } }) {
  const { t } = useLingui()
  if (mail.sentAt)
    return (
      <>
        <span className="client-sent">
          <Trans>sent</Trans>{' '}
        </span>
        <Time at={mail.sentAt} />
      </>
    )
  return mail.state === 'rejected' ? (
    <span className="tone-bad">{t`rejected`}</span>
  ) : (
    <span className="tone-wait">{t`not sent yet`}</span>
  )
}

function Mail({ clientId, mailId, onClose }: { clientId: string; mailId: string; onClose: () => void }) {
  const { t } = useLingui()
  const { data, error, refetch } = useEndpoint(getClientMail, { id: clientId, mailId })
  const mail = data?.mail
  return (
    <Drawer
      title={mail?.subject ?? t`Email`}
      head={
        <>
          <h2>{mail?.subject ?? t`Email`}</h2>
          {mail && (
            <p className="muted">
              {mail.to} · <Time at={mail.sentAt ?? mail.at} />
            </p>
          )}
        </>
      }
      onClose={onClose}
    >
      {error ? (
        <ErrorPanel failure={error} onRetry={() => void refetch()} />
      ) : (
        <div className="stack-6">
          {mail?.lastError && (
            <Alert
              kind={mail.state === 'rejected' ? 'bad' : 'wait'}
              title={
                mail.state === 'rejected' ? t`The mail server rejected the email` : t`The email has not been sent yet`
              }
            >
              {mail.lastError}
            </Alert>
          )}
          <p className="client-mail">{mail?.text}</p>
        </div>
      )}
    </Drawer>
  )
}
