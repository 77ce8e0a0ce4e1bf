import './email-link.css'

const pieceLengthMax = 32

/** An email address that does not break at hyphens or dots: it moves to the next line, or breaks before the @. */
export function EmailText({ address }: { address: string }) {
  return (
    <span className="mail-address">
      <Pieces address={address} />
    </span>
  )
}

/** The same as a mailto link. */
export function EmailLink({ address }: { address: string }) {
  return (
    <a href={`mailto:${address}`} className="mail-address">
      <Pieces address={address} />
    </a>
  )
}

function Pieces({ address }: { address: string }) {
  const at = address.lastIndexOf('@')
  return (
    <>
      <Piece text={address.slice(0, at)} />
      <wbr />
      <Piece text={address.slice(at)} />
    </>
  )
}

/** Breaks anywhere if it is longer than a phone's line. */
function Piece({ text }: { text: string }) {
  return text.length > pieceLengthMax ? text : <span className="unbroken">{text}</span>
}
