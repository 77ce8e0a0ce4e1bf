import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { OfficeTransfer } from '#contract/office/transfers.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { rateText } from '#ui/money/rate-format.ts'
import { Time } from '#ui/text/time.tsx'
import { RecordSection } from '../../decision/client-facts.tsx'

/** The rate that the client agreed to and since when it is of settings, beside the one of now. */
export function Rate({ transfer }: { transfer: OfficeTransfer }) {
  const { t, i18n } = useLingui()
  const { currency, arrivesCurrency, rate, rateAt, rateNow } = transfer
  if (currency === arrivesCurrency)
    return (
      <RecordSection title={<Trans>Rate</Trans>}>
        <p className="muted">
          <Trans>None. Both accounts are in {currency}. The full amount is credited.</Trans>
        </p>
      </RecordSection>
    )
  return (
    <RecordSection title={<Trans>Rate</Trans>}>
      <DescriptionList
        rows={[
          {
            key: t`Agreed with the client`,
            value: (
              <b className="numbers strong">
                1 {currency} = {rateText(rate, i18n.locale)} {arrivesCurrency}
              </b>
            ),
          },
          {
            key: t`Rate of settings as of`,
            value: rateAt ? <Time at={rateAt} /> : t`not recorded`,
          },
          { key: t`Requested`, value: <Time at={transfer.createdAt} /> },
          {
            key: t`Current rate in settings`,
            value: (
              <>
                <span className="numbers">{rateNow === null ? t`no rate` : rateText(rateNow, i18n.locale)}</span>{' '}
                <Same same={rateNow === rate} />
              </>
            ),
          },
        ]}
      />
    </RecordSection>
  )
}

function Same({ same }: { same: boolean }) {
  return same ? (
    <span className="tone-ok transfer-mark">
      <IconCheck className="small" aria-hidden="true" /> <Trans>unchanged</Trans>
    </span>
  ) : (
    <span className="tone-wait transfer-mark">
      <IconAlertTriangle className="small" aria-hidden="true" /> <Trans>Changed since. The agreed rate applies.</Trans>
    </span>
  )
}
