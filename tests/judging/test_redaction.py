import pytest

from forcebench_lib.judging.redaction import Redactor, plain_url, refuse_credentials
from forcebench_lib.schema import InputError


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


@pytest.mark.parametrize(
    "parameters",
    [
        {"api_key": "x"},
        {"extra_headers": {"a": "b"}},
        {"extra_body": {"nested": {"Authorization": "x"}}},
        {"aws_secret_access_key": "x"},
        {"azure_ad_token": "x"},
    ],
)
def test_parameters_with_credentials_are_refused(parameters: dict[str, object]) -> None:
    with pytest.raises(InputError, match="environment variables"):
        refuse_credentials(parameters)


def test_common_parameters_pass() -> None:
    refuse_credentials({"max_tokens": 5, "top_p": 1, "extra_body": {"cache_prompt": False, "top_k": 3}})
