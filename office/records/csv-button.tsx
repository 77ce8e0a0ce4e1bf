import { IconDownload } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { useFileDownload } from '#ui/api/use-saving.ts'
import { Button } from '#ui/forms/button.tsx'

interface CsvButtonProps extends Pick<ComponentProps<typeof Button>, 'className' | 'size' | 'aria-label'> {
  path: string
  /** The name of the saved file. */
  name: string
}

/** Downloads a file: shows that it is loading, and an error as a message. */
export function CsvButton({ path, name, ...look }: CsvButtonProps) {
  const { isPending, save } = useFileDownload()
  return (
    <Button
      {...look}
      icon={<IconDownload className="small" aria-hidden="true" />}
      pending={isPending}
      onClick={() => save(path, name)}
    >
      CSV
    </Button>
  )
}
