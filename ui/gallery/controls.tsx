/** Buttons, fields, messages and choices in their states. */
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { AmountField } from '../forms/amount-field.tsx'
import { Button } from '../forms/button.tsx'
import { Checkbox } from '../forms/checkbox.tsx'
import { ComboBox } from '../forms/combo-box.tsx'
import { CopyButton } from '../data/copy-button.tsx'
import { DatePartsField } from '../forms/date-parts-field.tsx'
import { FileUpload } from '../forms/file-upload.tsx'
import { Menu } from '../overlays/menu.tsx'
import { Alert } from '../feedback/alert.tsx'
import { showToast } from '../feedback/toasts.tsx'
import { PasswordField } from '../auth/password-field.tsx'
import { PasswordStrength } from '../auth/password-strength.tsx'
import { PhoneField } from '../forms/phone-field.tsx'
import { RadioCards } from '../forms/radio-cards.tsx'
import { Select } from '../forms/select.tsx'
import { TextField } from '../forms/text-field.tsx'
import { Part } from './part.tsx'

const countries = [
  { code: 'DE', name: 'Germany', prefix: '+49' },
  { code: 'AT', name: 'Austria', prefix: '+43' },
  { code: 'GB', name: 'United Kingdom', prefix: '+44' },
]

export function Commands() {
  return (
    <Part title="Commands">
      <div className="row wrap">
        <Button kind="primary">Next</Button>
        <Button>Settings</Button>
      </div>
      <Button kind="tinted" full>
        Fund now
      </Button>
      <div className="row wrap">
        <Button kind="danger">Reject…</Button>
        <Button kind="quiet">Cancel</Button>
        <Button icon={<IconPlus aria-hidden="true" />}>Request an account</Button>
      </div>
      <div className="row wrap">
        <Button kind="primary" pending>
          Sign in
        </Button>
        <Button size="small" keyHint="a">
          Assign
        </Button>
        <Menu
          name="More"
          look="button outline small"
          face="More"
          entries={[
            { key: 'a', label: 'Receipt', onAction: () => undefined },
            { key: 'b', label: 'Contact support about this', onAction: () => undefined },
          ]}
        />
      </div>
      <Button disabledReason="Upload a proof of address first. Then you can send both.">Send for approval</Button>
      <p>
        DE02 1203 0000 0000 2020 51 <CopyButton text="DE02120300000000202051" name="Copy IBAN" />
      </p>
    </Part>
  )
}

export function Fields() {
  const [amount, setAmount] = useState('14000')
  const [password, setPassword] = useState('Kastanie7')
  return (
    <Part title="Fields">
      <AmountField
        label="Amount"
        hint="Available 12,480.50 EUR"
        currency="EUR"
        value={amount}
        onValue={setAmount}
        error="You cannot withdraw more than your account balance!"
      />
      <TextField label="Email" readOnly defaultValue="clara.weidmann@example.com" />
      <div>
        <PasswordField
          label="Password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          autoComplete="new-password"
        />
        <PasswordStrength password={password} shortest={6} />
      </div>
      <TextField label="County" optional="optional, at most 30 characters" />
    </Part>
  )
}

export function Alerts() {
  return (
    <Part title="Notices">
      <div className="stack-2">
        <Alert kind="ok">You have successfully requested a new account.</Alert>
        <Alert kind="wait">Your passport expires on 20 July. Upload the new one before then.</Alert>
        <Alert kind="bad">
          Something went wrong on our side. Please, contact support and we'll look into it.{' '}
          <span className="muted">Reference 7F2K-91</span>
        </Alert>
        <Alert kind="run">The platform has not answered yet. We keep asking; your money is set aside.</Alert>
        <Button size="small" onClick={() => showToast(() => 'You have successfully requested a new account.')}>
          Show a passing one
        </Button>
      </div>
    </Part>
  )
}

export function Choices() {
  const [tile, setTile] = useState('card')
  return (
    <Part title="Choices">
      <RadioCards
        label="Method"
        value={tile}
        onValue={setTile}
        tiles={[
          { value: 'card', label: 'Credit/Debit Card', note: '0% fee, instant' },
          { value: 'wire', label: 'Bank Transfer', note: '0% fee, 2-5 days' },
          { value: 'usd', label: 'Account in USD', disabledReason: 'Not in the currency of this account.' },
        ]}
      />
      <Checkbox look="tile" defaultChecked>
        I have read the declaration.
      </Checkbox>
      <Checkbox error="Tick it to go on.">I accept the terms.</Checkbox>
      <Select
        label="Industry"
        required
        defaultValue=""
        placeholder="Choose"
        options={['Accounting', 'Banking', 'Other'].map((word) => ({ value: word, label: word }))}
      />
    </Part>
  )
}

export function Dates() {
  const [date, setDate] = useState({ day: '14', month: '3', year: '' })
  const [country, setCountry] = useState('DE')
  const [phone, setPhone] = useState('+491701234567')
  return (
    <Part title="Dates, countries, telephone">
      <DatePartsField
        label="Date of birth"
        value={date}
        onValue={setDate}
        years={[2026, 1926]}
        kind="birth"
        error="Please, set your birth date."
      />
      <ComboBox
        label="Country"
        items={countries.map((row) => ({ id: row.code, label: row.name }))}
        value={country}
        onValue={setCountry}
      />
      <PhoneField
        label="Mobile phone"
        countries={countries}
        country="DE"
        value={phone}
        onValue={setPhone}
        hint={phone || '–'}
      />
    </Part>
  )
}

export function Files() {
  return (
    <Part title="Files">
      <FileUpload
        label="Front"
        hint="All four corners, sharp enough to read."
        filename=""
        onFilename={() => undefined}
        bytesMax={15_000_000}
      />
      <FileUpload label="Back" filename="c1_1750000000_back.pdf" onFilename={() => undefined} bytesMax={15_000_000} />
    </Part>
  )
}
