import { useFirm } from './firm.ts'
import { Link } from '../navigation/link.tsx'
import './logo.css'

/** The firm's logo, or the three bars, with its name; links to the start page. */
export function Logo({ href = '/' }: { href?: string }) {
  const firm = useFirm()
  return (
    <Link href={href} className="brand-mark">
      {firm?.logoUrl ? (
        <img src={firm.logoUrl} alt="" height={26} />
      ) : (
        <svg viewBox="0 0 26 26" aria-hidden="true">
          <path fill="currentColor" d="M3 4h14v3.4H3zM3 11.3h20v3.4H3zM3 18.6h9V22H3z" />
        </svg>
      )}
      {firm?.name ?? ' '}
    </Link>
  )
}
