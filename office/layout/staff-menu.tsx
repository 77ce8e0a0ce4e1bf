import { IconCalendarOff, IconLanguage, IconLogout, IconShieldLock } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { useLocation } from 'wouter'
import { officePaths } from '#contract/office-paths.ts'
import { officeLogout, officeSetLanguage } from '#contract/office/session.ts'
import { languages, type Language, languageRows } from '#rules/choices.ts'
import { call } from '#ui/api/call.ts'
import { chooseLanguage } from '#ui/i18n/language.ts'
import { Menu } from '#ui/overlays/menu.tsx'
import { initialsOf } from '#ui/text/initials.ts'
import { session, useStaff } from '../session.ts'

/** The initials on the right: own security and absence, language, sign-out. */
export default function StaffMenu() {
  const { t, i18n } = useLingui()
  const { staff } = useStaff()
  const [, navigate] = useLocation()
  const speak = (language: Language) => {
    void chooseLanguage(language)
    call(officeSetLanguage, { language }).catch(() => undefined)
  }
  const leave = () => {
    call(officeLogout, {}).catch(() => undefined)
    session.end('logout')
  }
  return (
    <Menu
      // The accessible name contains the visible letters, so that voice control finds them.
      name={`${initialsOf(staff.name)} – ${t`Account of ${staff.name}`}`}
      face={<span aria-hidden="true">{initialsOf(staff.name)}</span>}
      look="staff-mark"
      entries={[
        {
          key: 'security',
          label: t`My security`,
          icon: <IconShieldLock aria-hidden="true" />,
          onAction: () => navigate(officePaths.mySecurity),
        },
        {
          key: 'absence',
          label: t`My absence`,
          icon: <IconCalendarOff aria-hidden="true" />,
          onAction: () => navigate(`${officePaths.mySecurity}?open=absence`),
        },
        ...languages
          .filter((language) => language !== i18n.locale)
          .map((language) => ({
            key: language,
            label: languageRows[language].name,
            icon: <IconLanguage aria-hidden="true" />,
            onAction: () => speak(language),
          })),
        { key: 'logout', label: t`Sign out`, icon: <IconLogout aria-hidden="true" />, onAction: leave },
      ]}
    />
  )
}
