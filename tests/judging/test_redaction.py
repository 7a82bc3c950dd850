import json
from urllib.parse import quote, quote_plus

import pytest

from forcebench_lib import judging
from forcebench_lib.judging.redaction import Redactor, plain_url, refuse_credentials
from forcebench_lib.schema import InputError

from .conftest import make_edition


@pytest.mark.parametrize(
    "url",
    [
        "https://planted:planted@host.example/v1",
        "https://planted@host.example/v1",
        "https://host.example/v1?key=planted",
        "https://host.example/v1#planted",
        "ftp://host.example/planted",
        "host.example:8000/planted",
    ],
)
def test_an_address_with_a_credential_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(InputError, match="api_base") as caught:
        plain_url(url)
    assert "planted" not in str(caught.value)


def test_a_bare_address_stays_as_it_is() -> None:
    assert plain_url("http://127.0.0.1:8080/v1") == "http://127.0.0.1:8080/v1"


def test_secrets_known_by_value_and_by_shape_leave_a_message() -> None:
    redactor = Redactor(
        api_key="planted-one",
        environment={"SOME_API_KEY": "planted-four", "HOME": "/home/reader", "SHORT_KEY": "abc"},
    )
    text = (
        "planted-one planted-four Bearer abcdefg sk-proj-123456789 "
        "https://a:b@c.example/x https://c.example/x?k=v /home/reader abc"
    )
    said = redactor.message(text)
    for secret in ("planted", "abcdefg", "sk-proj", "a:b@", "k=v"):
        assert secret not in said
    assert said.endswith("/home/reader abc")


def test_a_reply_loses_only_secrets_known_by_value() -> None:
    redactor = Redactor(api_key="planted-one", environment={})
    assert redactor.exact("sk-not-a-real-key and planted-one\n") == "sk-not-a-real-key and [redacted]\n"


SECRET_NAMES = (
    "api_key apiKey APIKey api-keys accessToken access_key aws_secret_access_key aws_access_key_id azure_ad_token auth "
    "auth_token basic_auth oauth2 bearer bearerToken password passwd pwd passphrase smtp_pass client_secret secrets "
    "credentials vertex_credentials Cookie cookies extra_headers default_headers x-goog-api-key X-Amz-Security-Token "
    "Authorization private_key signing_key_id session_token token key"
)
PLAIN_NAMES = (
    "max_tokens max_completion_tokens top_k top_p logit_bias tokenizer cache_prompt key_points prompt_cache_key "
    "eos_token stop_token_ids min_tokens_to_keep skip_special_tokens author pass_rate response_format seed monkey"
)


@pytest.mark.parametrize("name", SECRET_NAMES.split())
def test_a_parameter_named_like_a_credential_is_refused_at_any_depth(name: str) -> None:
    for parameters in ({name: "x"}, {"extra_body": {"a": [[{name: "x"}]]}}):
        with pytest.raises(InputError, match="environment variables") as caught:
            refuse_credentials(parameters)
        assert repr(name) in str(caught.value)


@pytest.mark.parametrize("name", PLAIN_NAMES.split())
def test_common_parameters_pass(name: str) -> None:
    refuse_credentials({name: 1, "extra_body": {name: [False, "key_points", {"label": "sk-learn style"}]}})


@pytest.mark.parametrize(
    "value",
    [
        "https://me:planted@host.example/v1",
        "https://planted@host.example/",
        "https://host.example/v1?sig=planted",
        "see https://host.example/v1?sig=planted now",
        "sk-planted-0123456789",
        "AIzaSyplanted0123456789planted",
        "planted-in-the-environment",
    ],
)
def test_a_value_that_carries_a_credential_is_refused_without_repeating_it(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_SERVICE_PASS", "planted-in-the-environment")
    for parameters in ({"stop": value}, {"stop": ["a", value]}, {"extra_body": {"b": ({"c": value},)}}):
        with pytest.raises(InputError, match="looks like a key or an address with one") as caught:
            refuse_credentials(parameters)
        assert "planted" not in str(caught.value)


def test_values_without_credentials_pass() -> None:
    refuse_credentials({"stop": ["Basic information", "a?b=c", "https://host.example/docs#part", "me@host.example"]})


def test_a_key_in_the_path_of_an_address_is_refused_without_repeating_it() -> None:
    for url in ("https://host.example/v1/sk-planted-0123456789", "https://host.example/hf_planted0123456789/v1"):
        with pytest.raises(InputError, match="shaped like a key") as caught:
            plain_url(url)
        assert "planted" not in str(caught.value)


def test_variables_named_like_credentials_are_secrets_and_those_about_them_are_not() -> None:
    secrets = ("AWS_ACCESS_KEY_ID", "SIGNING_KEY_ID", "BASIC_AUTH", "SMTP_PASS", "DB_PASSWD", "HF_TOKEN", "apiKey")
    plain = ("SSH_AUTH_SOCK", "AUTH_METHOD", "TOKENIZERS_PARALLELISM", "PASSWORD_FILE", "KEYBOARD")
    environment = {name: f"value-of-{name}" for name in (*secrets, *plain)}
    said = Redactor(environment=environment).exact(" ".join(environment.values()))
    assert said.split() == [*["[redacted]"] * len(secrets), *(f"value-of-{name}" for name in plain)]


@pytest.mark.parametrize("name", ["model", "evaluator", "model_file"])
def test_no_key_can_hide_in_a_name_that_is_recorded(name: str) -> None:
    fields = {"model": "openai/toy", "prompt": "axis_free"} | {name: "openai/sk-planted-0123456789"}
    with pytest.raises(InputError, match=f"{name}: found a piece that is shaped like a key") as caught:
        judging.task(make_edition(1), **fields)  # type: ignore[arg-type]
    assert "planted" not in str(caught.value)


def test_a_secret_is_found_as_json_and_addresses_write_it() -> None:
    secret = 'planted+12/345"xyz\\9ü'
    redactor = Redactor(api_key=secret, environment={})
    written = (
        json.dumps({"a": secret}),
        json.dumps({"a": secret}, ensure_ascii=False),
        repr({"a": secret}),
        quote(secret),
        quote(secret, safe=""),
        quote_plus(secret),
    )
    for text in written:
        assert "[redacted]" in redactor.exact(text)
        assert "planted" not in redactor.exact(text)


def test_a_message_loses_the_beginning_of_a_secret_and_a_reply_keeps_it() -> None:
    redactor = Redactor(
        api_key="planted-key-0123456789", environment={"A_TOKEN": "https://host.example/abc", "B_TOKEN": "short-01"}
    )
    assert redactor.message("key planted-key-01*** or planted-***") == "key [redacted]*** or [redacted]***"
    assert redactor.message("planted, short-0, https://c.example") == "planted, short-0, https://c.example"
    assert redactor.exact("planted-key-01***") == "planted-key-01***"
