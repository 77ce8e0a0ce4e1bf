import { IconChevronLeft } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { topicLabels } from '#contract/enquiry-labels.ts'
import { contactFirm, listEnquiries, writeEnquiry } from '#contract/enquiries.ts'
import { enquiryTopics, type EnquiryTopic } from '#rules/enquiries.ts'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { Button } from '#ui/forms/button.tsx'
import { focusOnRender } from '#ui/a11y/focus.ts'
import { type FieldErrors, submitHandler, useFormValues } from '#ui/forms/form-state.ts'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { Select } from '#ui/forms/select.tsx'
import { EmailField, TextArea, TextField } from '#ui/forms/text-field.tsx'
import { useLabels } from '#ui/i18n/labels.ts'

type YesOrNo = 'yes' | 'no' | ''

/** Returns to the start of Help. */
export function BackToHelp({ onBack }: { onBack: () => void }) {
  return (
    <button ref={focusOnRender} type="button" className="text-button help-back" onClick={onBack}>
      <IconChevronLeft className="small" aria-hidden="true" />
      <Trans>Back to Help</Trans>
    </button>
  )
}

/** Returns the errors for missing parts of a message. */
function useMissingErrors() {
  const { t } = useLingui()
  return ({ text, complaint }: { text: string; complaint: YesOrNo }): Record<string, string> => ({
    ...(text.trim() === '' ? { text: t`Enter your message.` } : {}),
    ...(complaint === '' ? { complaint: t`Choose whether this is a complaint.` } : {}),
  })
}

function useComplaintTiles() {
  const { t } = useLingui()
  return [
    { value: 'no' as const, label: t`No` },
    { value: 'yes' as const, label: t`Yes` },
  ]
}

interface EnquiryFormProps {
  /** The reference of the payment that the message concerns; '' for none. */
  about: string
  onBack: () => void
  onSent: (id: string) => void
}

/** A client's message; the reply appears in the portal. */
export function EnquiryForm({ about, onBack, onSent }: EnquiryFormProps) {
  const { t } = useLingui()
  const topic = useLabels(topicLabels)
  const form = useFormValues({
    topic: (about === '' ? '' : 'payments') as EnquiryTopic | '',
    text: '',
    complaint: '' as YesOrNo,
    reference: about,
  })
  const missing = useMissingErrors()
  const tiles = useComplaintTiles()
  const write = useEndpointMutation(writeEnquiry, {
    refreshes: [listEnquiries],
    onDone: ({ enquiry }) => onSent(enquiry.id),
    onFailure: form.refuse,
  })
  const send = () => {
    const { values } = form
    const left = () => ({ ...(values.topic === '' ? { topic: t`Choose a subject.` } : {}), ...missing(values) })
    if (form.sayErrors(left) || values.topic === '') return
    const { text, reference } = values
    write.mutate({ topic: values.topic, text, complaint: values.complaint === 'yes', reference })
  }
  return (
    <div className="stack-6">
      <BackToHelp onBack={onBack} />
      <h3 className="title-3">{t`Send us a message`}</h3>
      <form ref={form.ref} className="stack" noValidate onSubmit={submitHandler(send)}>
        <Select
          label={t({ message: 'Subject', context: 'enquiry' })}
          placeholder={t`Choose a subject`}
          options={enquiryTopics.map((value) => ({ value, label: topic(value) }))}
          name="topic"
          value={form.values.topic}
          error={form.errors['topic']}
          onChange={(event) => form.set({ topic: event.target.value as EnquiryTopic })}
        />
        <TextArea {...form.text('text')} label={t`Message`} rows={6} />
        <TextField
          {...form.text('reference')}
          label={t`Reference of a deposit, withdrawal or transfer`}
          optional
          autoComplete="off"
          spellCheck={false}
        />
        <RadioCards {...form.choice('complaint')} label={t`Is this a complaint?`} tiles={tiles} across={2} short />
        <ServerError errors={form.errors} />
        <Button kind="primary" type="submit" full pending={write.isPending}>{t`Send message`}</Button>
        <p className="muted size-13">{t`We reply here, under Help, and email you when there is a reply.`}</p>
      </form>
    </div>
  )
}

/** A visitor's message; the reply is sent by email. */
export function ContactForm({ onBack }: { onBack: () => void }) {
  const { t } = useLingui()
  const [isSent, setSent] = useState(false)
  const form = useFormValues({ name: '', email: '', text: '', complaint: '' as YesOrNo })
  const missing = useMissingErrors()
  const tiles = useComplaintTiles()
  const contact = useEndpointMutation(contactFirm, { onDone: () => setSent(true), onFailure: form.refuse })
  const send = () => {
    const { name, email, text, complaint } = form.values
    const left = () => ({
      ...(name.trim() === '' ? { name: t`Enter your name.` } : {}),
      ...(email.trim() === '' ? { email: t`Enter your email address.` } : {}),
      ...missing(form.values),
    })
    if (form.sayErrors(left)) return
    contact.mutate({ name, email: email.trim(), text, complaint: complaint === 'yes' })
  }
  if (isSent)
    return (
      <div className="stack-6">
        <BackToHelp onBack={onBack} />
        <Alert kind="ok" title={<Trans>Thank you for your message.</Trans>}>{t`We will reply by email.`}</Alert>
      </div>
    )
  return (
    <div className="stack-6">
      <BackToHelp onBack={onBack} />
      <h3 className="title-3">{t`Send us a message`}</h3>
      <form ref={form.ref} className="stack" noValidate onSubmit={submitHandler(send)}>
        <TextField {...form.text('name')} label={t`Name`} autoComplete="name" />
        <EmailField {...form.text('email')} label={t`Email`} autoComplete="email" />
        <TextArea {...form.text('text')} label={t`Message`} rows={6} />
        <RadioCards {...form.choice('complaint')} label={t`Is this a complaint?`} tiles={tiles} across={2} short />
        <ServerError errors={form.errors} />
        <Button kind="primary" type="submit" full pending={contact.isPending}>{t`Send message`}</Button>
        <p className="muted size-13">{t`We reply by email to this address.`}</p>
      </form>
    </div>
  )
}

/** Errors of no particular field: too many messages, or no connection. */
function ServerError({ errors }: { errors: FieldErrors }) {
  const { server } = errors
  return server === undefined ? null : <Alert kind="bad">{server}</Alert>
}
