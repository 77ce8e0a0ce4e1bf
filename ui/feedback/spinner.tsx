import './spinner.css'

/** A spinner beside a text that says what is loading; never without one. */
export function Spinner({ size = 16 }: { size?: number }) {
  return (
    <svg className="progress-mark" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 3a9 9 0 1 0 9 9" fill="none" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
    </svg>
  )
}
