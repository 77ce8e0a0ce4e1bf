import { IconMenu2 } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { IconButton } from '#ui/forms/button.tsx'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { MenuContent } from './office-menu.tsx'

/** The menu of narrow windows: a button and its drawer. Opening a page closes it. */
export default function MenuDrawer() {
  const { t } = useLingui()
  const [path] = useLocation()
  const place = `${path}?${useSearch()}`
  const [openAt, setOpenAt] = useState<string | null>(null)
  return (
    <>
      <IconButton name={t`Menu`} className="office-menu-opener" onClick={() => setOpenAt(place)}>
        <IconMenu2 aria-hidden="true" />
      </IconButton>
      <Drawer title={t`Menu`} isOpen={openAt === place} onClose={() => setOpenAt(null)}>
        <nav className="office-menu-drawer" aria-label={t`Menu`}>
          <MenuContent path={path} />
        </nav>
      </Drawer>
    </>
  )
}
