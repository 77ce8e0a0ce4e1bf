import { useLingui, Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { topicLabels } from '#contract/enquiry-labels.ts'
import { listEnquiries } from '#contract/enquiries.ts'
import { showHelp } from '#contract/help.ts'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { appearances, type Appearance, chooseAppearance, storedAppearance } from '#ui/theme/appearance.ts'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Disclosure } from '#ui/data/disclosure.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { ErrorPanel, Skeleton, ApiErrorText } from '#ui/feedback/content-states.tsx'
import { Button } from '#ui/forms/button.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { Time } from '#ui/text/time.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { closePanel, type OpenedPanel, openPanel } from './panel.ts'
import { useClient } from '../session.ts'
import { ContactForm, EnquiryForm } from './contact-forms.tsx'
import { EnquiryThread } from './enquiry-thread.tsx'
import './panels.css'
import { currentUser, setLanguage } from '#contract/users-session.ts'
import { languageRows, type Language } from '#rules/choices.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { chooseLanguage, offeredLanguages } from '#ui/i18n/language.ts'

/** The panels above any page, also during registration and while waiting for approval. */
export default function Panels({ opened }: { opened: OpenedPanel | null }) {
  const { t } = useLingui()
  return (
    <>
      <Drawer title={t`Help`} isOpen={opened?.name === 'help'} onClose={closePanel}>
        <Help enquiry={opened?.enquiry ?? null} about={opened?.about ?? null} />
      </Drawer>
      <Drawer title={t`Language and appearance`} isOpen={opened?.name === 'display'} onClose={closePanel}>
        <div className="stack-6">
          <LanguageChoice />
          <AppearanceChoice />
        </div>
      </Drawer>
    </>
  )
}

/** The language of the portal on this device and, if logged in, of the client's emails; hidden if there is only one. */
function LanguageChoice() {
  const { t, i18n } = useLingui()
  const client = useClient()
  const known = useEndpoint(currentUser, {}, { enabled: client !== null })
  const save = useEndpointMutation(setLanguage, { refreshes: [currentUser] })
  const offered = offeredLanguages()
  // The tile is selected immediately, while the messages of that language are still loading.
  const [coming, setComing] = useState<Language | null>(null)
  if (offered.length < 2) return null
  const change = (language: Language) => {
    if (client) save.mutate({ language })
    setComing(language)
    void chooseLanguage(language).finally(() => setComing(null))
  }
  // The portal was switched before signing in: emails have the language that the client chose before.
  const ofEmails = known.data?.user.language
  const differ = client !== null && ofEmails !== undefined && ofEmails !== i18n.locale && save.isIdle
  return (
    <div className="stack">
      {save.error && (
        <Alert kind="bad" title={<Trans>Your email language has not changed</Trans>}>
          <ApiErrorText failure={save.error} />
        </Alert>
      )}
      <RadioCards
        label={client ? t`Language of this portal and of our emails` : t`Language of this portal`}
        hint={
          differ
            ? t`Language of our emails to you: ${languageRows[ofEmails].name}. Choose one language for both.`
            : undefined
        }
        tiles={offered.map((value) => ({ value, label: languageRows[value].name }))}
        value={coming ?? (differ ? null : (i18n.locale as Language))}
        onValue={change}
        across={2}
        short
      />
    </div>
  )
}

function AppearanceChoice() {
  const { t } = useLingui()
  const [chosen, setChosen] = useState(storedAppearance)
  const words: Record<Appearance, string> = { system: t`Use device setting`, light: t`Light`, dark: t`Dark` }
  const change = (appearance: Appearance) => {
    setChosen(appearance)
    chooseAppearance(appearance)
  }
  return (
    <RadioCards
      label={t`Appearance on this device`}
      tiles={appearances.map((value) => ({ value, label: words[value] }))}
      value={chosen}
      onValue={change}
    />
  )
}

/** The view of Help: its start, a form, about a payment or not, or the enquiry with this id. */
type View = { at: 'begin' } | { at: 'write'; about: string } | { at: 'enquiry'; id: string }

/**
 * Contact details of the firm, frequent questions, and the client's enquiries. Visitors and people who are still
 * registering receive replies by email.
 */
function Help({ enquiry, about }: Pick<OpenedPanel, 'enquiry' | 'about'>) {
  const client = useClient()
  const isClient = client !== null && client.registered && !client.continueRegistration
  const [view, setView] = useState<View>(about === null ? { at: 'begin' } : { at: 'write', about })
  const [known, setKnown] = useState<string | null>(null)
  // Following a notice opens its enquiry, even if another one is open.
  if (known !== enquiry) {
    setKnown(enquiry)
    if (enquiry !== null) setView({ at: 'enquiry', id: enquiry })
  }
  const begin = () => setView({ at: 'begin' })
  if (view.at === 'enquiry' && isClient) return <EnquiryThread key={view.id} id={view.id} onBack={begin} />
  if (view.at === 'write' && isClient)
    return <EnquiryForm about={view.about} onBack={begin} onSent={(id) => setView({ at: 'enquiry', id })} />
  if (view.at === 'write') return <ContactForm onBack={begin} />
  return (
    <div className="stack-6">
      <Contact onWrite={() => setView({ at: 'write', about: '' })} />
      {isClient && <Enquiries onOpen={(id) => setView({ at: 'enquiry', id })} />}
      <FrequentQuestions />
      <p>
        <button type="button" className="text-button" onClick={() => openPanel('display')}>
          <Trans>Language and appearance</Trans>
        </button>
      </p>
    </div>
  )
}

function Contact({ onWrite }: { onWrite: () => void }) {
  const { t } = useLingui()
  const read = useEndpoint(showHelp, {})
  const { data } = read
  if (read.error && !data) return <ErrorPanel failure={read.error} onRetry={() => void read.refetch()} />
  if (!data) return <Skeleton width={320} height={24} />
  const { email, phone, hours } = data
  return (
    <section className="stack">
      <h3 className="title-4">{t`Contact`}</h3>
      <DescriptionList
        rows={[
          {
            key: t`Email`,
            value: (
              <a className="lone-link" href={`mailto:${email}`}>
                {email}
              </a>
            ),
          },
          phone !== '' && {
            key: t`Phone`,
            value: (
              <a className="lone-link" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
                {phone}
              </a>
            ),
          },
          hours !== '' && { key: t`Hours`, value: <span className="help-text">{hours}</span> },
        ]}
      />
      <Button onClick={onWrite}>{t`Send us a message`}</Button>
    </section>
  )
}

/** The client's enquiries, the one with the newest message first. */
function Enquiries({ onOpen }: { onOpen: (id: string) => void }) {
  const { t } = useLingui()
  const topic = useLabels(topicLabels)
  const { data, error, refetch } = useEndpoint(listEnquiries, {})
  if (error && !data) return <ErrorPanel failure={error} onRetry={() => void refetch()} />
  if (!data || data.enquiries.length === 0) return null
  return (
    <section className="stack">
      <h3 className="title-4">{t`Your messages`}</h3>
      <ul className="enquiry-list">
        {data.enquiries.map(({ id, complaint, topic: about, reference, state, changedAt }) => (
          <li key={id}>
            <button type="button" onClick={() => onOpen(id)}>
              <b className="strong">{complaint ? t`Complaint` : topic(about)}</b>
              <StatusBadge record="enquiry" state={state} />
              <span className="muted size-13">
                <Codes>{reference}</Codes> · <Time at={changedAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function FrequentQuestions() {
  const { t } = useLingui()
  const { data } = useEndpoint(showHelp, {})
  if (!data || data.answers.length === 0) return null
  return (
    <section className="help-answers" aria-label={t`Frequently asked questions`}>
      {data.answers.map(({ question, answer }) => (
        <Disclosure key={question} title={question}>
          <p className="help-text">{answer}</p>
        </Disclosure>
      ))}
    </section>
  )
}
