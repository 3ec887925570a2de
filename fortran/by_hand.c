/* SPDX-License-Identifier: MIT */
/* Functions that Fortran sees differently from C, but for callbacks. Made twice, as the others. */
#include "convert.h"

void F(init_)(MPI_Fint *ierror);
void F(init_)(MPI_Fint *ierror)
{
    mpif_end(ierror, C(Init)(NULL, NULL));
}

void F(init_thread_)(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror);
void F(init_thread_)(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror)
{
    mpif_end(ierror, C(Init_thread)(NULL, NULL, *required, provided));
}

/* What any compiler's descriptor of an argument begins with (Fortran 2018, 18.5.3). Only the module
 * has MPI_Sizeof: mpif.h cannot ask for a descriptor, and calls there must not find this. */
struct described {
    void *base;
    size_t element_bytes;
};

void F(sizeof_described_)(const struct described *x, MPI_Fint *size, MPI_Fint *ierror);
void F(sizeof_described_)(const struct described *x, MPI_Fint *size, MPI_Fint *ierror)
{
    *size = (MPI_Fint)x->element_bytes;
    mpif_end(ierror, MPI_SUCCESS);
}

/* Fortran has no arguments of unknown kinds: the level is all. */
void F(pcontrol_)(MPI_Fint *level);
void F(pcontrol_)(MPI_Fint *level)
{
    C(Pcontrol)(*level);
}

void F(waitany_)(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *indx, MPI_Fint *status,
                 MPI_Fint *ierror);
void F(waitany_)(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *indx, MPI_Fint *status,
                 MPI_Fint *ierror)
{
    MPI_Request few[MPIF_FEW], *r = mpif_Request_in(few, requests, *count);
    int e = r ? C(Waitany)(*count, r, indx, mpif_status(status)) : MPI_ERR_NO_MEM;
    mpif_Request_out(few, r, requests, *count);
    *indx = e == MPI_SUCCESS ? mpif_from_one(*indx) : *indx;
    mpif_end(ierror, e);
}

void F(testany_)(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *indx, MPI_Fint *flag,
                 MPI_Fint *status, MPI_Fint *ierror);
void F(testany_)(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *indx, MPI_Fint *flag,
                 MPI_Fint *status, MPI_Fint *ierror)
{
    MPI_Request few[MPIF_FEW], *r = mpif_Request_in(few, requests, *count);
    int e = r ? C(Testany)(*count, r, indx, flag, mpif_status(status)) : MPI_ERR_NO_MEM;
    mpif_Request_out(few, r, requests, *count);
    *indx = e == MPI_SUCCESS ? mpif_from_one(*indx) : *indx;
    mpif_end(ierror, e);
}

void F(request_get_status_any_)(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *indx, MPI_Fint *flag,
                                MPI_Fint *status, MPI_Fint *ierror);
void F(request_get_status_any_)(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *indx, MPI_Fint *flag,
                                MPI_Fint *status, MPI_Fint *ierror)
{
    MPI_Request few[MPIF_FEW], *r = mpif_Request_in(few, requests, *count);
    int e =
        r ? C(Request_get_status_any)(*count, r, indx, flag, mpif_status(status)) : MPI_ERR_NO_MEM;
    mpif_Request_out(few, r, NULL, *count);
    *indx = e == MPI_SUCCESS ? mpif_from_one(*indx) : *indx;
    mpif_end(ierror, e);
}

static void indices_from_one(int n, MPI_Fint *indices)
{
    for (int i = 0; n != MPI_UNDEFINED && i < n; i++)
        indices[i]++;
}

void F(waitsome_)(MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount, MPI_Fint *indices,
                  MPI_Fint *statuses, MPI_Fint *ierror);
void F(waitsome_)(MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount, MPI_Fint *indices,
                  MPI_Fint *statuses, MPI_Fint *ierror)
{
    MPI_Request few[MPIF_FEW], *r = mpif_Request_in(few, requests, *incount);
    *outcount = 0;
    int e =
        r ? C(Waitsome)(*incount, r, outcount, indices, mpif_statuses(statuses)) : MPI_ERR_NO_MEM;
    mpif_Request_out(few, r, requests, *incount);
    indices_from_one(*outcount, indices);
    mpif_end(ierror, e);
}

void F(testsome_)(MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount, MPI_Fint *indices,
                  MPI_Fint *statuses, MPI_Fint *ierror);
void F(testsome_)(MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount, MPI_Fint *indices,
                  MPI_Fint *statuses, MPI_Fint *ierror)
{
    MPI_Request few[MPIF_FEW], *r = mpif_Request_in(few, requests, *incount);
    *outcount = 0;
    int e =
        r ? C(Testsome)(*incount, r, outcount, indices, mpif_statuses(statuses)) : MPI_ERR_NO_MEM;
    mpif_Request_out(few, r, requests, *incount);
    indices_from_one(*outcount, indices);
    mpif_end(ierror, e);
}

void F(request_get_status_some_)(MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount,
                                 MPI_Fint *indices, MPI_Fint *statuses, MPI_Fint *ierror);
void F(request_get_status_some_)(MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount,
                                 MPI_Fint *indices, MPI_Fint *statuses, MPI_Fint *ierror)
{
    MPI_Request few[MPIF_FEW], *r = mpif_Request_in(few, requests, *incount);
    *outcount = 0;
    int e = r ? C(Request_get_status_some)(*incount, r, outcount, indices, mpif_statuses(statuses))
              : MPI_ERR_NO_MEM;
    mpif_Request_out(few, r, NULL, *incount);
    indices_from_one(*outcount, indices);
    mpif_end(ierror, e);
}

/* Lengths count no NUL in Fortran. */
void F(info_get_string_)(MPI_Fint *info, char *key, MPI_Fint *buflen, char *value, MPI_Fint *flag,
                         MPI_Fint *ierror, size_t l_key, size_t l_value);
void F(info_get_string_)(MPI_Fint *info, char *key, MPI_Fint *buflen, char *value, MPI_Fint *flag,
                         MPI_Fint *ierror, size_t l_key, size_t l_value)
{
    char *k = mpif_text(key, l_key), text[MPI_MAX_INFO_VAL + 1] = "";
    int most = (int)(sizeof text - 1), room = *buflen > 0 ? *buflen + 1 : 0;
    room = room > most ? most : room;
    int e = k ? C(Info_get_string)(MPI_Info_fromint(*info), k, &room, text, flag) : MPI_ERR_NO_MEM;
    if (e == MPI_SUCCESS && *flag) {
        if (*buflen > 0)
            mpif_give(value, l_value, text);
        *buflen = room - 1;
    }
    free(k);
    mpif_end(ierror, e);
}

void F(session_get_nth_pset_)(MPI_Fint *session, MPI_Fint *info, MPI_Fint *n, MPI_Fint *pset_len,
                              char *pset_name, MPI_Fint *ierror, size_t l_pset_name);
void F(session_get_nth_pset_)(MPI_Fint *session, MPI_Fint *info, MPI_Fint *n, MPI_Fint *pset_len,
                              char *pset_name, MPI_Fint *ierror, size_t l_pset_name)
{
    char text[MPI_MAX_PSET_NAME_LEN + 1] = "";
    int most = (int)(sizeof text - 1), room = *pset_len > 0 ? *pset_len + 1 : 0;
    room = room > most ? most : room;
    int e = C(Session_get_nth_pset)(MPI_Session_fromint(*session), MPI_Info_fromint(*info), *n,
                                    &room, text);
    if (e == MPI_SUCCESS) {
        if (*pset_len > 0)
            mpif_give(pset_name, l_pset_name, text);
        *pset_len = room - 1;
    }
    mpif_end(ierror, e);
}
