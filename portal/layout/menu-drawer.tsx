import { IconMenu2 } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button, IconButton } from '#ui/forms/button.tsx'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { useClient } from '../session.ts'
import { logOut } from './logout.ts'
import { MenuContent } from './side-menu.tsx'
import { ClientIdentity } from './client-identity.tsx'

/** The menu of narrow windows: a button and its drawer. Following an entry closes it. */
export default function MenuDrawer() {
  const { t } = useLingui()
  const client = useClient()
  const [path] = useLocation()
  const [openAt, setOpenAt] = useState<string | null>(null)
  const close = () => setOpenAt(null)
  // The menu stays closed when a page is opened again later.
  if (openAt !== null && openAt !== path) close()
  return (
    <>
      <IconButton name={t`Menu`} className="menu-opener" onClick={() => setOpenAt(path)}>
        <IconMenu2 aria-hidden="true" />
      </IconButton>
      {client && (
        <Drawer title={t`Menu`} isOpen={openAt === path} onClose={close}>
          <nav className="menu-drawer" aria-label={t`Menu`}>
            <MenuContent client={client} path={path} onFollow={close} />
            <div className="menu-drawer-who">
              <ClientIdentity client={client} />
              <Button size="small" onClick={() => logOut()}>{t`Logout`}</Button>
            </div>
          </nav>
        </Drawer>
      )}
    </>
  )
}
