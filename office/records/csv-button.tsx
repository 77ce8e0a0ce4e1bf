import { IconDownload } from '@tabler/icons-react'
import { type ComponentProps, useState } from 'react'
import { ApiError } from '#ui/api/api-error.ts'
import { saveFile } from '#ui/api/upload.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { Button } from '#ui/forms/button.tsx'

interface CsvButtonProps extends Pick<ComponentProps<typeof Button>, 'className' | 'size' | 'aria-label'> {
  path: string
  /** The name of the saved file. */
  name: string
}

/** Downloads a file: shows that it is loading, and an error as a message. */
export function CsvButton({ path, name, ...look }: CsvButtonProps) {
  const [isPending, setPending] = useState(false)
  const save = () => {
    setPending(true)
    saveFile(path, name)
      .catch((thrown: unknown) => {
        if (thrown instanceof ApiError) showToast(() => thrown.error, { kind: 'bad' })
        else throw thrown
      })
      .finally(() => setPending(false))
  }
  return (
    <Button {...look} icon={<IconDownload className="small" aria-hidden="true" />} pending={isPending} onClick={save}>
      CSV
    </Button>
  )
}
