import { encode } from 'uqr'

/** The quiet zone around the code, in modules (ISO/IEC 18004). */
const border = 4

interface QrCodeProps {
  text: string
  /** The purpose of the code. */
  label: string
  size?: number
  /** Error correction: L 7 %, M 15 %. */
  level?: 'L' | 'M'
}

/** A text as a QR code, dark on white in every colour scheme, as cameras require. */
export function QrCode({ text, label, size = 192, level = 'L' }: QrCodeProps) {
  const { data, size: modules } = encode(text, { border, ecc: level })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules} ${modules}`}
      width={size}
      height={size}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${modules}v${modules}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  )
}
