/** Enquiries and complaints: the client's messages, the public form, and the actions of staff. */
import * as portal from '#contract/enquiries.ts'
import * as office from '#contract/office/enquiries.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { answerEnquiry, closeEnquiry, concludeComplaint } from './decide-enquiry.ts'
import { getEnquiry, getOfficeEnquiry, listEnquiries, listOfficeEnquiries } from './show-enquiries.ts'
import { contactFirm, replyToEnquiry, writeEnquiry } from './write-enquiry.ts'

export function enquiryRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(portal.listEnquiries, listEnquiries)
  registerEndpoint(portal.getEnquiry, getEnquiry)
  registerEndpoint(portal.writeEnquiry, writeEnquiry)
  registerEndpoint(portal.replyToEnquiry, replyToEnquiry)
  registerEndpoint(portal.contactFirm, contactFirm)
  registerEndpoint(office.listOfficeEnquiries, listOfficeEnquiries)
  registerEndpoint(office.getOfficeEnquiry, getOfficeEnquiry)
  registerEndpoint(office.answerEnquiry, answerEnquiry)
  registerEndpoint(office.closeEnquiry, closeEnquiry)
  registerEndpoint(office.concludeComplaint, concludeComplaint)
}
