/** Style of the hosted pages, plainly another firm's than the portal's. */
export const style = `
:root { color-scheme: light dark; --page: #f3f1f7; --sheet: #fff; --text: #1e1a2b; --soft: #635d73; --line: #cdc7da; --main: #4b2e83; --on: #fff }
@media (prefers-color-scheme: dark) {
  :root { --page: #131019; --sheet: #1d1926; --text: #eeebf4; --soft: #aba3bd; --line: #453d57; --main: #b79df0; --on: #1a0f33 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, "Segoe UI", sans-serif }
header { background: repeating-linear-gradient(-45deg, #4b2e83 0 14px, #55368f 14px 28px); color: #fff; padding: 1rem max(1rem, calc(50vw - 15rem)) }
header h1 { margin: 0; font-size: 1.125rem } header p { margin: .25rem 0 0; font-size: .875rem }
main { max-width: 30rem; margin: 1.5rem auto; padding: 1.5rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px }
@media (max-width: 32rem) { main { margin: 0; border: 0; border-radius: 0; min-height: 80vh } }
h2 { margin: 0 0 .75rem; font-size: 1.25rem } .to { margin: 0; color: var(--soft) }
.amount { margin: 0; font-size: 2.25rem; font-weight: 650; font-variant-numeric: tabular-nums }
.small { margin: .25rem 0 1rem; font-size: .875rem; color: var(--soft) }
.field { display: block; margin: 0 0 .75rem; font-size: .875rem } .row { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem }
input:not([type=radio]) { display: block; width: 100%; min-height: 44px; margin-top: .25rem; padding: 0 .75rem; font: inherit; font-size: 1rem; color: inherit; background: transparent; border: 1px solid var(--soft); border-radius: 5px }
fieldset { margin: 1rem 0; padding: .5rem 1rem .75rem; border: 1px solid var(--line); border-radius: 5px } legend { padding: 0 .25rem; font-weight: 600 }
.choice { display: flex; gap: .5rem; align-items: center; min-height: 36px } .choice input { flex: none; accent-color: var(--main); width: 18px; height: 18px }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem }
button { min-height: 44px; padding: 0 1.25rem; font: inherit; font-weight: 600; color: var(--main); background: transparent; border: 1px solid var(--main); border-radius: 5px; cursor: pointer }
button.main { flex: 1 1 12rem; color: var(--on); background: var(--main) }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px }
`
