/* SPDX-License-Identifier: MIT */
/* Read before services.c: an image has the servers that somebody in it can ask, as memory is small.
 * These are in it if the archive's clients of them are (SVC_ASKS, svc/client.h);
 * else their addresses are 0. */
#ifndef IMAGE_BARE_ASKED_H
#define IMAGE_BARE_ASKED_H

#pragma weak svc_name_server
#pragma weak svc_name_server_bytes
#pragma weak svc_name_server_init
#pragma weak svc_name_daemon
#pragma weak svc_name_daemon_init
#pragma weak svc_name_forward
#pragma weak svc_semaphore_server
#pragma weak svc_semaphore_bytes
#pragma weak svc_semaphore_init
#pragma weak svc_rmem_server
#pragma weak svc_rmem_server_bytes
#pragma weak svc_rmem_server_init
#pragma weak svc_shm_server
#pragma weak svc_shm_server_bytes
#pragma weak svc_shm_server_init

#endif
