/** An image that fits the viewer's stage at 100 %, also when it is rotated. */
import { type SyntheticEvent, useLayoutEffect, useState } from 'react'

export interface Size {
  readonly width: number
  readonly height: number
}

interface FittedImageProps {
  address: string
  name: string
  turns: number
  zoom: number
  size: Size | null
  available: Size | null
  onSize: (size: Size) => void
}

/** A rotated image: its frame takes the rotated size, so that nothing is cut off. */
export function FittedImage({ address, name, turns, zoom, size, available, onSize }: FittedImageProps) {
  const measure = ({ currentTarget }: SyntheticEvent<HTMLImageElement>) =>
    onSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
  const isSideways = turns % 2 === 1
  const across = size ? (isSideways ? size.height : size.width) : 1
  const down = size ? (isSideways ? size.width : size.height) : 1
  const scale = size && available ? Math.min(available.width / across, available.height / down) * zoom : 0
  const frame = size && available ? { width: across * scale, height: down * scale } : { width: 0, height: 0 }
  return (
    <div className="viewer-frame" style={frame}>
      <img
        src={address}
        alt={name}
        onLoad={measure}
        style={{
          width: size ? size.width * scale : undefined,
          height: size ? size.height * scale : undefined,
          transform: `translate(-50%, -50%) rotate(${turns * 90}deg)`,
        }}
      />
    </div>
  )
}

/** Returns the current inner size of the stage. */
export function useInnerSize(stage: React.RefObject<HTMLDivElement | null>): Size | null {
  const [innerSize, setInnerSize] = useState<Size | null>(null)
  useLayoutEffect(() => {
    const element = stage.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      const style = getComputedStyle(element)
      const width = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
      const height = element.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom)
      // On phones the stage is as high as the image, whose width is decisive.
      setInnerSize({ width: Math.max(120, width), height: Math.max(220, height) })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [stage])
  return innerSize
}
