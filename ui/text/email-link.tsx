import './email-link.css'

const pieceLengthMax = 32

/** A mail address that no line breaks at a hyphen or dot: it stands on the next line, or goes on there before its @. */
export function EmailText({ address }: { address: string }) {
  return (
    <span className="mail-address">
      <Pieces address={address} />
    </span>
  )
}

/** The same, to write to. */
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

/** One that is longer than a phone's line breaks where it has to. */
function Piece({ text }: { text: string }) {
  return text.length > pieceLengthMax ? text : <span className="unbroken">{text}</span>
}
