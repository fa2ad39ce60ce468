package dev.ron.admin.api;

import dev.ron.admin.auth.Identity;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;

/** Answers a request of somebody who may make it. */
@FunctionalInterface
interface Call {
    Response handle(Request request, Identity identity) throws Exception;
}
