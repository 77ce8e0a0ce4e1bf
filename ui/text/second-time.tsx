import { useContext } from 'react'
import { historyTime, TimeZoneContext } from './time.tsx'

/** "10:44:05" of an instant in the app's time zone: the time of a reading. */
export function SecondTime({ at }: { at: Date }) {
  const timeZone = useContext(TimeZoneContext)
  return (
    <time className="numbers unbroken" dateTime={at.toISOString()}>
      {historyTime(at, timeZone).slice(-8)}
    </time>
  )
}
