const place = (id) => document.getElementById(id)

async function ask(path, body) {
  const sent = body
    ? { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    : {}
  const answered = await fetch(path, sent)
  const json = await answered.json()
  if (!answered.ok) throw new Error(json.error)
  return json
}

function cell(text, className) {
  const made = document.createElement('td')
  made.textContent = text
  if (className) made.className = className
  return made
}

/** Returns the current one-time code and for how long it is valid. */
function codeOf({ code, secondsLeft }) {
  const made = cell(code ?? '–', 'right')
  const left = document.createElement('small')
  left.textContent = ` ${secondsLeft} s`
  made.append(left)
  return made
}

async function showPeople() {
  const { password, portal, office, programs: running, staff, clients } = await ask('/demo/people')
  for (const row of place('switches').children) row.hidden = !running.includes(row.dataset.program)
  place('password').textContent = password
  place('portal').href = portal
  place('office').href = office
  place('staff').replaceChildren(
    ...staff.map((one) => {
      const row = document.createElement('tr')
      row.append(cell(one.name), cell(one.roles.join(', ')), cell(one.email), codeOf(one))
      return row
    }),
  )
  place('clients').replaceChildren(
    ...clients.map((one) => {
      const row = document.createElement('tr')
      row.append(cell(one.name), cell(one.state), cell(one.email), one.code ? codeOf(one) : cell(''))
      return row
    }),
  )
}

let shown = ''

async function showMails() {
  const { mails } = await ask('/demo/mails')
  const key = mails.map((mail) => mail.id).join()
  if (key === shown) return
  shown = key
  place('mails').replaceChildren(
    ...mails.map((mail) => {
      const item = document.createElement('li')
      const button = document.createElement('button')
      button.textContent = mail.subject
      const small = document.createElement('small')
      small.textContent = `${mail.to} · ${new Date(mail.receivedAt).toLocaleTimeString()}`
      button.append(small)
      button.addEventListener('click', () => {
        for (const other of place('mails').querySelectorAll('[aria-current]')) other.removeAttribute('aria-current')
        button.setAttribute('aria-current', 'true')
        place('mail').src = `/demo/mails/${encodeURIComponent(mail.id)}/page`
        place('mail').hidden = false
        place('mail').scrollIntoView({ block: 'nearest' })
      })
      item.append(button)
      return item
    }),
  )
}

const faults = [
  { label: 'Slow, 8 s', path: 'slow', body: { ms: 8000 } },
  { label: 'Decline', path: 'refuse', body: null },
  { label: 'Disconnect before processing', path: 'drop-before', body: {} },
  { label: 'Disconnect after processing', path: 'drop-after', body: {} },
  { label: 'Reset', path: 'reset', body: {} },
]
/** Each platform has a market of its own. */
const market = [
  { label: 'Start market movement', path: 'market/walk', body: { on: true, seed: 1 } },
  { label: 'Stop market movement', path: 'market/walk', body: { on: false } },
]
const programs = [
  { program: 'mt5', name: 'MetaTrader 5', refusal: { retcode: 10019 }, more: market },
  { program: 'mt4', name: 'MetaTrader 4 gateway', refusal: { code: 'no_money' }, more: market },
  { program: 'card', name: 'Card provider', refusal: { status: 500 }, more: [] },
  { program: 'mailbox', name: 'Mail server', refusal: { code: 451 }, more: [] },
]

function showSwitches() {
  place('switches').replaceChildren(
    ...programs.map(({ program, name, refusal, more }) => {
      const row = document.createElement('div')
      row.className = 'row'
      row.dataset.program = program
      const title = document.createElement('strong')
      title.textContent = name
      const buttons = document.createElement('div')
      for (const { label, path, body } of [...faults, ...more]) {
        const button = document.createElement('button')
        button.textContent = label
        button.addEventListener('click', () =>
          ask('/demo/switch', { program, name: path, body: body ?? refusal }).then(
            () => (place('switched').textContent = `${name}: ${label}.`),
            (error) => (place('switched').textContent = `${name}: ${error.message}`),
          ),
        )
        buttons.append(button)
      }
      row.append(title, buttons)
      return row
    }),
  )
}

place('pay').addEventListener('submit', async (event) => {
  event.preventDefault()
  const field = (name) => event.target.elements.namedItem(name).value
  const fields = {
    reference: field('reference'),
    payer: field('payer'),
    payerAccount: field('payerAccount'),
    amount: field('amount'),
    currency: field('currency'),
  }
  await ask('/demo/pay-in', fields).then(
    () => (place('paid').textContent = `${fields.amount} ${fields.currency} from ${fields.payer} has arrived.`),
    (error) => (place('paid').textContent = error.message),
  )
})

showSwitches()
const refresh = () => Promise.all([showPeople(), showMails()]).catch(() => undefined)
await refresh()
document.querySelector('main').removeAttribute('data-waiting')
setInterval(refresh, 2000)
