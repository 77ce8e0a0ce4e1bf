/** Sample legal texts in both languages. A firm replaces them in the settings; each change is a new version. */
import { msg } from '#contract/message.ts'
import type { Setting } from '#contract/setting-sections.ts'
import { inEachLanguage } from '../i18n/translate.ts'

export const legalTextDefaults: Setting<'legalTexts'> = {
  terms: {
    version: 1,
    title: inEachLanguage(msg`Terms of business`),
    text: inEachLanguage(
      msg({
        message:
          'These terms govern the trading accounts you hold with us, the orders you give and the money we hold for you.\n\nWe execute orders in contracts for difference and foreign exchange on the MetaTrader platforms. We give no advice.\n\nMoney you pay in is held in client bank accounts apart from our own. You may ask for it back at any time, less what margin your open positions need.\n\nYou may close your account at any time by writing to us.',
      }),
    ),
  },
  privacy: {
    version: 1,
    title: inEachLanguage(msg`Privacy notice`),
    text: inEachLanguage(
      msg({
        message:
          'We keep what you tell us and the documents you upload because the law asks us to know our clients. Only staff who decide on your application see them, and every look is recorded.\n\nWe keep records for five years after the end of our relationship. You may ask for a copy of your data at any time in your profile.',
      }),
    ),
  },
  riskDisclosure: {
    version: 1,
    title: inEachLanguage(msg`Risk disclosure`),
    text: inEachLanguage(
      msg({
        message:
          'Contracts for difference are complex and come with a high risk of losing money rapidly because of leverage.\n\nA small move of the market against you can cost you the whole of the margin you paid. As a retail client you cannot lose more than the money in your account.\n\nTrade only with money that you can afford to lose, and only if you understand how these contracts work.',
      }),
    ),
  },
  declaration: {
    version: 1,
    title: inEachLanguage(msg`Declaration`),
    text: inEachLanguage(
      msg`I declare that what I have stated is true and complete, that I act on my own account and for nobody else, and that I will tell the firm at once when something changes.`,
    ),
  },
  clientAssetsDeclaration: {
    version: 1,
    title: inEachLanguage(msg`Client Assets Declarations`),
    text: inEachLanguage(
      msg({
        message:
          'Money that you pay in is client money. We hold it in a client bank account, apart from our own money, and reconcile it every day.\n\nIf the bank that holds it should fail, all clients share a loss in proportion. Money held by a bank may be protected by a deposit guarantee scheme.\n\nMoney needed as margin may be passed to the firm that executes your orders. It remains yours in our records.\n\nI have read how my money is held and I agree.',
      }),
    ),
  },
}
