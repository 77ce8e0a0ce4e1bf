/** The longest comment of a platform: longer codes are those of others, and must break to fit. */
const lengthMax = 31

/** Text with references and other codes that do not break at their hyphens; copied text has no extra characters. */
export function Codes({ children }: { children: string }) {
  return children.split(/(\b[A-Z\d]+(?:-[A-Z\d]+)+\b)/).map((part, place) =>
    place % 2 === 1 && part.length <= lengthMax ? (
      // The parts of one text, in its order.
      <span key={place} className="unbroken">
        {part}
      </span>
    ) : (
      part
    ),
  )
}
